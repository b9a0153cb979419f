import t from 'tap'
import type { Environment } from '#runner/environment.ts'
import { readEnvironment } from '#runner/environment.ts'
import { withinBase64 } from '#runner/mask/base64.ts'
import { createMasks, environmentSecrets } from '#runner/mask/masks.ts'
import { variableArguments } from '#runner/mask/variable-arguments.ts'

t.test('a secret is hidden in every form in which a plan may write it', (t) => {
  const table = [
    // secret, text, what is left of it
    ['hunter22', '+ password = "hunter22"', '+ password = "***"'],
    ['hunter22', 'xhunter22y', 'x***y'],
    ['prod', 'in prod, production and "prod"', 'in ***, production and "***"'],
    ['no', 'no is too short to hide', 'no is too short to hide'],
    ['90210', 'zip = 90210, id = 902101', 'zip = ***, id = 902101'],
    ['say "hi" now', 'x = "say \\"hi\\" now"', 'x = "***"'],
    ['pre$' + '{x}post', 'x = "pre$$' + '{x}post"', 'x = "***"'],
    ['line one\nline two\n}', 'a\n  line one\n  line two\n  }', 'a\n  ***\n  ***\n  }'],
    ['{"user":"ada","key":"s3cr3t-k"}', 'jsonencode({ key = "s3cr3t-k" })', 'jsonencode({ key = "***" })'],
    ['a.b*c(d', 'x a.b*c(d y aXbbc', 'x *** y aXbbc'],
    ['a.b', 'a.b aXb', '*** aXb'],
    ['hunter22', 'basic aHVudGVyMjI=', 'basic ***'],
  ] as const
  for (const [secret, text, left] of table) {
    const masks = createMasks()
    masks.add([secret])
    t.equal(masks.hide(text), left, JSON.stringify(secret))
  }
  const masks = createMasks()
  masks.add(['secret', 'secret-and-more'])
  t.equal(masks.hide('secret-and-more'), '***', 'the longest first')
  t.end()
})

t.test("of a key of Google's the secret fields are hidden, and not what every plan names", (t) => {
  const key = {
    type: 'service_account',
    project_id: 'acme-prod',
    private_key_id: '0a1b2c3d',
    private_key: 'very-secret',
  }
  const masks = createMasks()
  masks.add([JSON.stringify(key)])
  t.equal(masks.hide('google_service_account in acme-prod'), 'google_service_account in acme-prod')
  t.equal(masks.hide('key 0a1b2c3d is very-secret'), 'key *** is ***')
  t.end()
})

t.test('the variables of the environment that a log would mask are secret', (t) => {
  const found = (env: Record<string, string>) => environmentSecrets(readEnvironment(env) as Environment)
  t.same(found({ TF_VAR_db_password: 'hunter22', HOME: '/root', PWD: '/somewhere/else' }), ['hunter22'])
  t.same(found({ AWS_SECRET_ACCESS_KEY: 'abcdef', NPM_AUTHTOKEN: 'npm_12' }), ['abcdef', 'npm_12'])
  t.same(found({ USE_TOKEN: 'true' }), [], 'too short to be a secret')
  t.same(found({ GOOGLE_APPLICATION_CREDENTIALS: import.meta.filename }), [], 'it names a file, not its contents')
  t.same(found({ DATABASE_URL: 'postgres://svc:p%40ss@db/x' }), ['p%40ss', 'p@ss'])
  t.same(found({ SVC_MASK: 'PIN, OTHER', PIN: '4711', OTHER: 'else' }), ['4711', 'else'])
  t.end()
})

t.test('arguments are read as a shell reads them', (t) => {
  const table = [
    ['-var a=b', [['a', 'b']], []],
    [
      `-var='a=b c' -var "d=\\"e\\""`,
      [
        ['a', 'b c'],
        ['d', '"e"'],
      ],
      [],
    ],
    ['--var-file x.tfvars -var-file=y', [], ['x.tfvars', 'y']],
    ['-parallelism=5 -var', [], []],
    ["-var 'a=never closed", [], []],
  ] as const
  for (const [line, values, files] of table) t.same(variableArguments({ TF_CLI_ARGS: line }), { values, files }, line)
  t.end()
})

t.test('a secret is found at each of the three places where base64 may have it', (t) => {
  const secret = 'correct horse battery'
  for (const before of ['', 'a', 'ab', 'abc', 'user:']) {
    const encoded = Buffer.from(`${before}${secret}, and more`).toString('base64')
    t.ok(
      withinBase64(secret).some((piece) => encoded.includes(piece)),
      before,
    )
  }
  t.same(withinBase64('short'), [])
  t.end()
})

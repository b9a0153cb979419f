import t from 'tap'
import { limits } from '#domain/limits.ts'
import { boundVerdict, verdictOf } from '../../src/runner/check/verdict.ts'
import type { Environment } from '../../src/runner/environment.ts'
import { readEnvironment } from '../../src/runner/environment.ts'
import { safeName } from '../../src/runner/job/work-dir.ts'
import { createMasks, environmentSecrets } from '../../src/runner/mask/masks.ts'
import { cutBeginning, cutEnd, printable } from '../../src/runner/mask/sendable-text.ts'
import { sensitiveValues } from '../../src/runner/mask/sensitive-values.ts'
import type { Output } from '../../src/runner/output/output.ts'
import { fitResult } from '../../src/runner/report/report-held.ts'

t.test('every value that a plan marks sensitive is found, wherever it stands', (t) => {
  const change = {
    actions: ['update'],
    before: { password: 'old-1', size: 4 },
    after: {
      password: 'new-1',
      list: [{ pin: 'pin-1', open: 'open-1' }],
      whole: { a: 'deep-1', b: [true, null, 90210] },
    },
    before_sensitive: { password: true },
    after_sensitive: { password: true, list: [{ pin: true }], whole: true },
  }
  const plan = {
    format_version: '1.2',
    resource_changes: [{ address: 'a', change }],
    resource_drift: [
      { address: 'b', change: { before: 'drift-1', before_sensitive: true, after: null, after_sensitive: false } },
    ],
    output_changes: {
      key: { actions: ['create'], after: 'out-1', after_sensitive: true },
      host: { after: 'host-1', after_sensitive: false },
    },
    planned_values: {
      outputs: { token: { sensitive: true, value: 'planned-1' }, host: { sensitive: false, value: 'host-2' } },
      root_module: {
        child_modules: [{ resources: [{ values: { k: 'child-1', n: 'name-1' }, sensitive_values: { k: true } }] }],
      },
    },
    prior_state: { values: { outputs: { t: { sensitive: true, value: ['prior-1', 'prior-2'] } } } },
    variables: { db: { value: 'var-1' }, size: { value: 'size-1' } },
    configuration: { root_module: { variables: { db: { sensitive: true }, size: {} } } },
  }
  t.same(sensitiveValues(plan).sort(), [
    ...['90210', 'child-1', 'deep-1', 'drift-1', 'new-1', 'old-1', 'out-1', 'pin-1', 'planned-1', 'prior-1', 'prior-2'],
    'var-1',
  ])
  for (const odd of [
    undefined,
    null,
    'text',
    [],
    { before_sensitive: true },
    { values: 1, sensitive_values: { a: true } },
  ])
    t.same(sensitiveValues(odd), [])
  t.end()
})

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

t.test('of the environment those variables are secret that a log would mask', (t) => {
  const found = (env: Record<string, string>) => environmentSecrets(readEnvironment(env) as Environment)
  t.same(found({ TF_VAR_db_password: 'hunter22', HOME: '/root', PWD: '/somewhere/else' }), ['hunter22'])
  t.same(found({ AWS_SECRET_ACCESS_KEY: 'abcdef', NPM_AUTHTOKEN: 'npm_12' }), ['abcdef', 'npm_12'])
  t.same(found({ USE_TOKEN: 'true' }), [], 'too short to be one')
  t.same(found({ GOOGLE_APPLICATION_CREDENTIALS: import.meta.filename }), [], 'a file is named, not its contents')
  t.same(found({ DATABASE_URL: 'postgres://svc:p%40ss@db/x' }), ['p%40ss', 'p@ss'])
  t.same(found({ SVC_MASK: 'PIN, OTHER', PIN: '4711', OTHER: 'else' }), ['4711', 'else'])
  t.end()
})

t.test('text that is sent has whole lines and nothing that a terminal obeys', (t) => {
  t.equal(printable('a\u001b[31mb\u001b[0m\r\nc\u0000\td\ud800'), 'ab\nc\td\ufffd')
  t.same(cutEnd('aaa\nbbb\nccc', 100), { text: 'aaa\nbbb\nccc', isCut: false })
  t.same(cutEnd('aaa\nbbb\nccc', 9), { text: 'aaa\nbbb\n', isCut: true })
  t.same(cutEnd('ääää', 5), { text: 'ää', isCut: true }, 'a line that is too long is cut between characters')
  t.same(
    cutEnd(`a\n${'b'.repeat(20)}`, 12),
    { text: `a\n${'b'.repeat(10)}`, isCut: true },
    'and so is one behind a short one',
  )
  t.equal(cutBeginning('aaa\nbbb\nccc', 9), 'bbb\nccc')
  t.equal(cutBeginning('ääää', 5), 'ää')
  t.equal(cutBeginning('short', 5), 'short')
  t.end()
})

t.test('a name for files and artifacts holds none of the characters that they may not have', (t) => {
  const keys = ['aws/prod', 'aws-prod', 'app:blue', '.', '../x', 'a"b<c>d|e*f?g\\h\ni', 'ü/ß', 'x'.repeat(500)]
  const names = keys.map(safeName)
  t.equal(new Set(names).size, keys.length, 'each key has its own')
  for (const name of names) t.match(name, /^[A-Za-z0-9_][A-Za-z0-9._-]{0,95}$/)
  t.match(safeName('aws/prod'), /^aws-prod-[0-9a-f]{8}$/)
  t.end()
})

const quietOutput = () => {
  const said: string[] = []
  return { said, output: { warn: (message: string) => said.push(message) } as unknown as Output }
}

t.test('a verdict keeps to what a client may send, and says what was cut', (t) => {
  const { said, output } = quietOutput()
  const small = { status: 'pass', summary: 'a\n  b', details: 'd', details_url: 'https://x.example' } as const
  t.same(boundVerdict(small, output), { ...small, summary: 'a b' })
  t.same(said, [])
  const large = boundVerdict(
    { status: 'fail', summary: 'ü'.repeat(5000), details: 'line of text\n'.repeat(10_000) },
    output,
  )
  t.ok(Buffer.byteLength(large.summary!) <= limits.checkSummaryBytes && /cut at 4 KB\)$/.test(large.summary!))
  t.ok(Buffer.byteLength(large.details!) <= limits.checkDetailsBytes && /\n\nCut at 64 KB\.\n$/.test(large.details!))
  t.same(said, ['the summary is cut: it may have 4 KB', 'the details are cut: they may have 64 KB'])
  t.same(boundVerdict({ status: 'warn', summary: ' ', details: '' }, output), { status: 'warn' }, 'empty says nothing')
  t.end()
})

t.test("a program's end is a verdict", (t) => {
  const masks = createMasks()
  masks.add(['hunter22'])
  const ended = (code: number | null, stdout = '', stderr = '') => ({
    code,
    signal: code === null ? ('SIGKILL' as const) : null,
    stdout,
    stderr,
  })
  const how = { mode: 'fail', masks, isKeptBack: false } as const
  t.same(verdictOf(ended(0, 'one\n2 tests passed\n\n'), how), {
    status: 'pass',
    summary: '2 tests passed',
    details: '```\none\n2 tests passed\n```',
  })
  t.match(verdictOf(ended(3), how), { status: 'fail', summary: 'ended with exit status 3' })
  t.match(verdictOf(ended(null), { ...how, mode: 'warn' }), { status: 'warn', summary: 'was ended by SIGKILL' })
  t.match(verdictOf(ended(1, '', 'bad hunter22'), how), { summary: 'bad ***', details: '```\nbad ***\n```' })
  t.same(verdictOf(ended(1, 'it quotes the plan'), { ...how, isKeptBack: true }), {
    status: 'fail',
    summary: 'it quotes the plan',
  })
  const long = verdictOf(ended(1, 'a line\n'.repeat(50_000)), how)
  t.same(boundVerdict(long, quietOutput().output), long, 'it is within the limits')
  t.end()
})

t.test('a result that is too large is made to fit, its counts left alone', (t) => {
  const lists = { added: Array.from({ length: 500 }, (_, i) => `${'x'.repeat(1000)}[${i}]`) }
  const summary = { adds: 500, changes: 0, destroys: 0, replaces: 0, ...lists, destroyed: lists.added }
  const base = { mode: 'plan', status: 'success', exit_code: 2, has_changes: true, summary, error_text: 'why' } as const
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
  const fitted = fitResult({ ...base, plan_text: 'line\n'.repeat(50_000) })
  t.ok(bytes(fitted) < limits.bodyBytes)
  t.match(fitted.summary, { adds: 500 })
  t.equal(fitted.summary?.added?.length, 50)
  t.equal(fitted.plan_text?.length, 250_000)
  const quotes = fitResult({ ...base, plan_text: '"'.repeat(limits.planTextBytes * 4) })
  t.ok(bytes(quotes) < limits.bodyBytes && quotes.truncated === true)
  const small = { ...base, summary: { adds: 1, changes: 0, destroys: 0, replaces: 0 } }
  t.equal(fitResult(small), small)
  t.end()
})

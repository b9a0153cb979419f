import { join } from 'node:path'
import t from 'tap'
import { checkoutOf, files } from '../checkout.ts'

t.test('validate reports every problem of a configuration with its place', async (t) => {
  const wrong = 'version: 1\ntol: terraform\nstacks:\n  - match: "["\n    depends_on: [/a]\n'
  const { root, run } = checkoutOf(t, {
    ...files,
    'wrong.yml': wrong,
    'worse.yml': 'a: [\n',
    'many.yml': `version: 1\n${Array.from({ length: 10_000 }, (_, i) => `key${i}: 1\n`).join('')}`,
    'recursive.yml': 'version: 1\nx: &a [1,*a]\n',
    'nested.yml': `${'- '.repeat(4000)}{\n`,
  })
  const valid = await run(['validate'])
  t.same([valid.code, valid.stdout, valid.stderr], [0, 'svc.yml is valid\n', ''])
  const ran = await run(['validate', 'wrong.yml'])
  t.equal(ran.code, 1)
  t.match(ran.stderr, /^error: wrong\.yml:2:1: tol: 'tol' is not known here: did you mean 'tool'\?\n/)
  t.match(
    ran.stderr,
    /\nerror: wrong\.yml:4:12: stacks\[0\]\.match: .*\nerror: wrong\.yml:5:18: stacks\[0\]\.depends_on\[0\]: /,
  )
  const asJson = await run(['validate', 'wrong.yml', '--json'])
  t.equal(asJson.code, 1)
  t.match(asJson.json, { file: 'wrong.yml', valid: false, problems: [{ key: 'tol', line: 2, column: 1 }, {}, {}] })
  t.match((await run(['validate', '--json'])).json, { valid: true, problems: [] })
  const inJob = await run(['validate', 'worse.yml'], { GITHUB_ACTIONS: 'true' })
  t.equal(inJob.code, 1)
  t.match(inJob.stdout, /^::error file=worse\.yml,line=\d+,col=\d+::/)
  t.match((await run(['validate', 'none.yml'])).stderr, /there is no file .*none\.yml/)
  const many = await run(['validate', 'many.yml'])
  t.equal(many.code, 1)
  t.equal(many.stderr.trim().split('\n').length, 51)
  t.match(many.stderr, /\nerror: many\.yml: and 9950 more problems\n$/)
  for (const [name, place] of Object.entries({ recursive: '2:10', nested: '1:100' }))
    t.match((await run(['validate', `${name}.yml`])).stderr, `error: ${name}.yml:${place}: `)
  t.equal((await run(['validate'], {}, join(root, 'app'))).code, 0, 'from anywhere in the checkout')
})

t.test('a file called svc.yaml is told of, since it is not read', async (t) => {
  const { run } = checkoutOf(t, { 'svc.yaml': 'version: 1\n', 'a/main.tf': 'resource "a" "b" {}\n' })
  const hint = /svc\.yaml is not read: its name must be svc\.yml\n$/
  t.match(await run(['validate']), { code: 1, stderr: hint })
  t.match(await run(['scan']), { code: 0, stderr: hint })
})

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import t, { type Test } from 'tap'
import { parse, stringify } from 'yaml'
import { applicationEnv } from '#test/helpers/application-env.ts'
import Reporter from './reporter.ts'

// the files of a run, and what the reporter makes of them
const file = (body: string) => `import t from 'tap'\n${body}\n`
const files = {
  'passing.ts': file(
    `t.test('outer', t => t.test('inner', async t => { t.ok(true); t.equal(1, 1) }).then(() => t.end()))`,
  ),
  'failing.ts': file(`t.equal(1, 2, 'numbers'); t.ok(true); t.comment('look here')`),
  'leaving-badly.ts': file('t.ok(true); process.exitCode = 3'),
  'without-a-test.ts': 'console.log("nothing asserted")\n',
  'skipping.ts': file(`t.test('not now', { skip: 'why' }, () => {}); t.ok(true)`),
}

// The inner run is a separate project with our plugins (others would make tap rebuild itself). In our project it would clear
// `.tap/processinfo` while the outer run's files write there, and either may then fail with ENOTEMPTY or ENOENT.
const root = join(import.meta.dirname, '..')
const { plugin } = parse(readFileSync(join(root, '.taprc'), 'utf8'))
const taprc = stringify({ plugin, 'disable-coverage': true, reporter: join(root, 'test/reporter.ts') })

const run = (t: Test, names: (keyof typeof files)[]) => {
  const dir = t.testdir({ ...files, '.taprc': taprc })
  const { status, stdout } = spawnSync('tap', names, {
    cwd: dir,
    encoding: 'utf8',
    env: applicationEnv(),
  })
  return { status, stdout, lastLine: stdout.trimEnd().split('\n').at(-1) }
}

const cases = [
  // files                                             last line                        exit status
  [['passing.ts', 'skipping.ts'], '3 passed, 0 failed, 1 skipped', 0],
  [['passing.ts', 'without-a-test.ts'], '2 passed, 1 failed', 1],
  [['failing.ts', 'leaving-badly.ts'], '2 passed, 2 failed', 1],
] as const

for (const [names, lastLine, status] of cases) {
  t.test(`${names.join(' and ')}: ${lastLine}`, async (t) => {
    const seen = run(t, [...names])
    t.match(seen, { lastLine, status })
    if (names[0] !== 'failing.ts') return
    t.match(seen.stdout, /failing\.ts > numbers\n +at .*failing\.ts:2:3\n/, 'a failure says where it is')
    t.match(seen.stdout, /-2\n +\+1\n/, 'and what differs')
    t.match(seen.stdout, '# look here')
  })
}

t.test('of more than ten files the slowest are listed before the last line', async (t) => {
  const file = (n: number) => `# Subtest: ${n}.ts\n    ok 1 - it\n    1..1\nok ${n} - ${n}.ts # time=${n * 1500}ms\n`
  const said = async (count: number): Promise<string> => {
    const reporter = new Reporter()
    reporter.end(`${Array.from({ length: count }, (_, index) => file(index + 1)).join('')}1..${count}\n`)
    return await text(reporter)
  }
  t.match(
    await said(12),
    /\n\n {3}18\.0 s {2}12\.ts\n {3}16\.5 s {2}11\.ts\n(.*\n){7} {4}4\.5 s {2}3\.ts\n {2}117\.0 s {2}all 12 files, in \d+\.\d s\n\n12 passed, 0 failed\n$/,
  )
  t.notMatch(await said(10), 'all 10 files')
})

t.test('of more than ten files what failed is shown once more at the end', async (t) => {
  const file = (n: number, ok: string) =>
    `# Subtest: ${n}.ts\n    ${ok} 1 - it\n    1..1\n${ok} ${n} - ${n}.ts # time=10ms\n`
  const said = async (count: number): Promise<string> => {
    const reporter = new Reporter()
    const files = Array.from({ length: count }, (_, index) => file(index + 1, index === 2 ? 'not ok' : 'ok'))
    reporter.end(`${files.join('')}1..${count}\n`)
    return stripVTControlCharacters(await text(reporter))
  }
  t.teardown(() => {
    process.exitCode = 0
  })
  const failed = /not ok 3\.ts {2}1 failed/g
  t.equal((await said(12)).match(failed)?.length, 2)
  t.match(await said(12), /not ok 3\.ts .*\n\n +3\.ts > it\n(\n)+ +0\.0 s/)
  t.equal((await said(10)).match(failed)?.length, 1)
})

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import t, { type Test } from 'tap'
import { startOf } from '#dev/liveness.ts'

/* The demo as a user runs it, in processes of its own. The demos of this file run beside each other, as users' may. */

type Demo = { child: ChildProcess; owner: string; out: string[]; err: string[]; ended: Promise<number | string> }

/** A user's: tap has every process below it load something, which a dozen jobs would pay for. */
const userEnvironment = (): NodeJS.ProcessEnv => {
  const own = Object.entries(process.env).filter(([name]) => !/^(_?TAP|NODE_OPTIONS$|NODE_V8|DATABASE_URL$)/.test(name))
  return Object.fromEntries(own)
}

const startDemo = (t: Test, args: string[], env: NodeJS.ProcessEnv = {}): Demo => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/dev/demo.ts'), ...args], {
    env: { ...userEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => child.kill('SIGTERM'))
  const out: string[] = []
  const err: string[] = []
  child.stdout?.setEncoding('utf8').on('data', (text) => out.push(text))
  child.stderr?.setEncoding('utf8').on('data', (text) => err.push(text))
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  return { child, owner: `${child.pid}-${startOf(child.pid ?? 0)}`, out, err, ended }
}

/** What a demo left in the places where it keeps things. */
const leftBy = ({ owner }: Demo): string[] =>
  [tmpdir(), '/tmp', '/var/tmp', process.env.SVC_DATA_DIR ?? '/tmp'].flatMap((dir) =>
    readdirSync(dir).filter((name) => name.endsWith(`demo-${owner}`) || name.endsWith(`-${owner}`)),
  )

/** The JSON that is the only line on standard output. */
const outcomeOf = ({ out, err }: Demo) => {
  const lines = out.join('').trimEnd().split('\n')
  if (lines.length !== 1) throw new Error(`not one line of JSON: ${lines.join('\n')}\n${err.join('')}`)
  return JSON.parse(lines[0]!)
}

/** PATH with everything that it has but the planning tools. */
const pathWithoutTools = (t: Test): string => {
  const others = t.testdir({})
  const isTool = (name: string) => name === 'terraform' || name === 'tofu'
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((dir, at) => {
      const names = spawnSync('ls', [dir], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean)
      if (!names.some(isTool)) return dir
      const copy = join(others, String(at))
      spawnSync('mkdir', [copy])
      for (const name of names) if (!isTool(name)) symlinkSync(join(dir, name), join(copy, name))
      return copy
    })
    .join(delimiter)
}

const byStatus = (stacks: Record<string, string>, status: string) =>
  Object.keys(stacks).filter((key) => stacks[key] === status)

const hasTool = spawnSync('terraform', ['version']).status === 0 || spawnSync('tofu', ['version']).status === 0

t.jobs = 3

t.test('the real tool plans, and a second push replaces the run of the first', { skip: !hasTool }, async (t) => {
  const demo = startDemo(t, ['--exit', '--json', '--only', 'push', '--only', 'hide'])
  t.equal(await demo.ended, 0, demo.err.join(''))
  const { ok, problems, runs, check_runs: checkRuns, comment_url: comment, seconds, tool } = outcomeOf(demo)
  t.match({ ok, problems }, { ok: true, problems: [] })
  t.match(tool, /(terraform|tofu)$/)
  t.match(demo.err.join(''), `planned by ${tool}`)

  const [first, second, hidden] = runs
  t.match(first, { status: 'superseded', pull_request: 1 })
  t.match(second, { status: 'planned', waves: 3, pull_request: 1 })
  t.equal(byStatus(second.stacks, 'planned').length, 12)
  t.match(hidden, { status: 'planned', stacks: { 'data/database': 'planned', 'apps/storefront:staging': 'noop' } })
  t.not(first.sha, second.sha)

  const ofSecond = checkRuns.filter((check: { sha: string }) => check.sha === second.sha)
  t.equal(ofSecond.length, 14, 'one a stack, that of the resolution and the roll-up')
  t.ok(ofSecond.every((check: { conclusion: string }) => check.conclusion === 'success'))
  const names = new Set(checkRuns.map((check: { name: string; sha: string }) => `${check.sha} ${check.name}`))
  t.equal(names.size, checkRuns.length, 'none is doubled')
  t.match(comment, /\/pull\/1#issuecomment-\d+$/)
  t.type(seconds, 'number')
  t.same(leftBy(demo), [])
})

t.test('without terraform and tofu a stand-in plays recorded plans, and the demo says so', async (t) => {
  const demo = startDemo(t, ['--exit', '--json', '--only', 'storefront'], { PATH: pathWithoutTools(t) })
  t.equal(await demo.ended, 0, demo.err.join(''))
  t.match(demo.err.join('').split('\n')[0], /^Neither terraform nor tofu is on the path/)
  const { tool, runs } = outcomeOf(demo)
  t.equal(tool, 'recorded plans')
  t.match(runs, [{ status: 'planned', waves: 1, stacks: { 'apps/storefront:staging': 'planned' } }])
  t.same(leftBy(demo), [])
})

t.test('it stays up until it is interrupted, and leaves nothing behind', async (t) => {
  const demo = startDemo(t, ['--only', 'circle'])
  const isUp = () => demo.out.join('').includes('Everything stays up')
  while (!isUp() && demo.child.exitCode === null) await Promise.race([once(demo.child.stdout!, 'data'), demo.ended])
  const told = demo.out.join('')
  t.match(told, /apps\/worker → data\/cache → platform\/network → apps\/worker/)
  const page = await fetch(/\S+\/pull\/1/.exec(told)![0])
  t.match(await page.text(), 'Let the network wait for the worker')
  t.ok(leftBy(demo).length > 0)
  demo.child.kill('SIGINT')
  t.equal(await demo.ended, 0)
  t.same(leftBy(demo), [])
  await t.rejects(fetch(page.url))
})

t.test('what keeps it from starting is told, to programs too', async (t) => {
  const demo = startDemo(t, ['--exit', '--json'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  t.equal(await demo.ended, 1)
  const { ok, problems, runs } = outcomeOf(demo)
  t.match({ ok, problems, runs }, { ok: false, problems: [/DATABASE_URL.+ECONNREFUSED/], runs: [] })
  t.same(leftBy(demo), [])
})

t.test('flags that it does not know are an error', async (t) => {
  const cases = [
    [['--wat'], "demo: Unknown option '--wat'"],
    [['now'], "demo: Unexpected argument 'now'"],
    [['--only', 'x'], "demo: --only: there is no scene 'x'"],
  ] as const
  for (const [args, message] of cases) {
    const demo = startDemo(t, [...args])
    t.equal(await demo.ended, 1)
    t.match(demo.err.join(''), message)
    t.equal(demo.out.join(''), '')
  }
  const help = startDemo(t, ['--help'])
  t.equal(await help.ended, 0)
  t.match(help.out.join(''), /Usage: npm run demo[\s\S]+--exit[\s\S]+circle/)
})

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import t, { type Test } from 'tap'
import { startOf } from '#dev/liveness.ts'

/* The demo as a user runs it, in its own processes. The demos of this file run beside each other, as users' demos may. */

type Demo = { child: ChildProcess; owner: string; out: string[]; err: string[]; ended: Promise<number | string> }

/** A user's environment: tap makes every process below it load something, and a dozen jobs would pay for that. */
const userEnvironment = (): NodeJS.ProcessEnv => {
  const own = Object.entries(process.env).filter(([name]) => !/^(_?TAP|NODE_OPTIONS$|NODE_V8|DATABASE_URL$)/.test(name))
  return Object.fromEntries(own)
}

const startDemo = (t: Test, args: string[], env: NodeJS.ProcessEnv = {}): Demo => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/dev/demo.ts'), ...args], {
    env: { ...userEnvironment(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
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

/** PATH with everything on it except the planning tools. */
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
// A story of a dozen jobs, on a machine that also runs other tests.
t.setTimeout(480_000)

type Run = { mode: string; status: string; trigger: string; stacks: Record<string, string>; change: string }
type Scene = {
  name: string
  ok: boolean
  comments: { author: string; says: string; reactions: string[] }[]
  locks: { stack_key: string; state: string }[]
}

const scenesOf = (outcome: { scenes: Scene[] }) => new Map(outcome.scenes.map((scene) => [scene.name, scene]))

t.test('the real tool applies: refused, approved, failing, killed, unlocked, merged', { skip: !hasTool }, async (t) => {
  const wanted = ['lock', 'merge', 'fail', 'unlock'].flatMap((scene) => ['--only', scene])
  const demo = startDemo(t, ['--exit', '--json', ...wanted])
  t.equal(await demo.ended, 0, demo.err.join(''))
  const outcome = outcomeOf(demo)
  t.match(outcome, { ok: true, problems: [], tool: /(terraform|tofu)$/ })
  t.match(demo.err.join(''), `planned and applied by ${outcome.tool}`)
  const scenes = scenesOf(outcome)
  t.same([...scenes.keys()], ['apply', 'lock', 'merge', 'fail', 'kill', 'unlock'], 'with the scenes that they continue')

  const { comments, locks } = scenes.get('apply')!
  const said = comments.filter(({ author }) => author === 'ada').map(({ reactions }) => reactions.toSorted())
  t.same(said, [['eyes'], ['eyes', 'rocket']], 'refused at first')
  t.equal(locks.length, 4)
  t.match(scenes.get('lock'), { comments: [{}, { reactions: ['eyes'] }, { says: /refused/ }], locks: [] })
  t.same(scenes.get('merge')!.locks, [])

  const applies = outcome.runs.filter((run: Run) => run.mode === 'apply')
  t.match(applies, [
    { change: 'sale', trigger: 'comment', status: 'applied', waves: 3, stacks: { 'platform/identity': 'applied' } },
    {
      change: 'release',
      status: 'failed',
      stacks: { 'data/cache': 'failed', 'apps/storefront:staging': 'applied', 'apps/worker': 'blocked' },
      blocked_by: { 'apps/worker': ['data/cache'] },
    },
    { change: 'repository', status: 'failed', stacks: { 'platform/registry': 'unknown' } },
  ])
  t.same(
    scenes.get('fail')!.locks.map(({ stack_key, state }) => `${stack_key} ${state}`),
    ['apps/storefront:staging held.changed', 'apps/worker held.claimed', 'data/cache held.changed'],
  )
  t.match(scenes.get('kill')!.locks, [{ stack_key: 'platform/registry', state: 'held.changed' }])
  t.match(scenes.get('unlock'), { locks: [] })
  t.match(outcome.runs.at(-1), { mode: 'plan', trigger: 'comment', status: 'planned' })
  t.match(
    outcome.pull_requests.map(({ state }: { state: string }) => state),
    ['merged', 'open', 'open', 'open'],
  )
  t.same(leftBy(demo), [])
})

t.test('without terraform and tofu a stand-in plays what was recorded, and the demo says so', async (t) => {
  const wanted = ['push', 'hide', 'fix'].flatMap((scene) => ['--only', scene])
  const demo = startDemo(t, ['--exit', '--json', ...wanted], { PATH: pathWithoutTools(t) })
  t.equal(await demo.ended, 0, demo.err.join(''))
  t.match(demo.err.join('').split('\n')[0], /^Neither terraform nor tofu is on the path/)
  const { ok, problems, runs, check_runs: checkRuns, comment_url: comment, seconds, tool } = outcomeOf(demo)
  t.match({ ok, problems, tool }, { ok: true, problems: [], tool: 'recorded plans' })

  const [first, second, hidden, ...release] = runs
  t.match(first, { status: 'superseded', pull_request: 1 })
  t.match(second, { status: 'planned', waves: 3, pull_request: 1 })
  t.equal(byStatus(second.stacks, 'planned').length, 12)
  t.match(hidden, { status: 'planned', stacks: { 'data/database': 'planned', 'apps/storefront:staging': 'noop' } })
  t.not(first.sha, second.sha)
  t.match(release, [
    { mode: 'plan', status: /planned|superseded/ },
    { mode: 'apply', status: 'failed', blocked_by: { 'apps/worker': ['data/cache'] } },
    { mode: 'plan', status: 'planned', stacks: { 'apps/storefront:staging': 'noop', 'data/cache': 'planned' } },
    { mode: 'apply', status: 'applied', stacks: { 'apps/storefront:staging': 'noop', 'data/cache': 'applied' } },
  ])

  const ofSecond = checkRuns.filter((check: { sha: string }) => check.sha === second.sha)
  t.equal(ofSecond.length, 14, 'one per stack, one for the resolution and the roll-up')
  t.ok(ofSecond.every((check: { conclusion: string }) => check.conclusion === 'success'))
  const names = new Set(checkRuns.map((check: { name: string; sha: string }) => `${check.sha} ${check.name}`))
  t.equal(names.size, checkRuns.length, 'none is doubled')
  t.match(comment, /\/pull\/1#issuecomment-\d+$/)
  t.type(seconds, 'number')
  t.same(leftBy(demo), [])
})

t.test('it stays up until it is interrupted, and leaves nothing behind', async (t) => {
  const demo = startDemo(t, ['--only', 'cycle'])
  const isUp = () => demo.out.join('').includes('Everything stays up')
  while (!isUp() && demo.child.exitCode === null) await Promise.race([once(demo.child.stdout!, 'data'), demo.ended])
  const told = demo.out.join('')
  t.match(told, /apps\/worker → data\/cache → platform\/network → apps\/worker/)
  const page = await fetch(/\S+\/pull\/1/.exec(told)![0])
  t.match(await page.text(), 'Let the network wait for the worker')
  t.ok(leftBy(demo).length > 0)
  demo.child.stdin!.write('svc help\n')
  const isAnswered = () => demo.out.join('').includes('The apply gate for')
  while (!isAnswered() && demo.child.exitCode === null)
    await Promise.race([once(demo.child.stdout!, 'data'), demo.ended])
  t.match(demo.out.join(''), /linus comments 'svc help'[\s\S]+reacts with :eyes:[\s\S]+Commands/)
  demo.child.kill('SIGINT')
  t.equal(await demo.ended, 0)
  t.same(leftBy(demo), [])
  await t.rejects(fetch(page.url))
})

t.test('what keeps it from starting is reported, to programs too', async (t) => {
  const demo = startDemo(t, ['--exit', '--json'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  t.equal(await demo.ended, 1)
  const { ok, problems, runs } = outcomeOf(demo)
  t.match({ ok, problems, runs }, { ok: false, problems: [/DATABASE_URL.+ECONNREFUSED/], runs: [] })
  t.same(leftBy(demo), [])
})

t.test('unknown flags are an error', async (t) => {
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
  t.match(help.out.join(''), /Usage: npm run demo[\s\S]+--exit[\s\S]+cycle/)
})

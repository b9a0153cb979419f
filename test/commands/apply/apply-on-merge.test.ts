import t from 'tap'
import type { PullRequestHandle } from '#emulator/handles.ts'
import { nudge } from '#test/helpers/nudge.ts'
import { playJob } from '#test/helpers/runner.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { lockStates, report } from '#test/scenes/applying.ts'
import { answersTo, comment, planned, policy, pushPolicy, runsOf } from '#test/scenes/commenting.ts'
import { opened, openPull, planning, query, stack } from '#test/scenes/scene.ts'

const world = await startWorld(t)
const { github, repository } = world
for (const login of ['ada', 'rob', 'eve']) repository.setPermission(login, 'write')

const onMerge = (apply: object = {}) => policy(world, { mode: 'on_merge', ...apply })

const merge = async (pull: PullRequestHandle, by = 'rob') => {
  await pull.merge(by)
  await world.settled()
  return { runs: await runsOf(world, pull, 'apply', 'push'), told: answersTo(pull, `merge ${pull.number}`) }
}

t.test('a merge applies what was planned, once, and the results free its locks', async (t) => {
  await onMerge()
  const { pull } = await planned(world, ['on/a', 'on/b'])
  t.match((await comment(world, pull, 'svc apply')).answers, [/`mode`: Stacks of this repository are applied when/])
  t.same(await merge(pull), { runs: ['applying: on/a on/b'], told: [] })
  const [run] = await query(
    world,
    `select id, requested_by, sha from runs where pr_number = ${pull.number} and mode = 'apply'`,
  )
  t.match(run, { requested_by: 'rob', sha: pull.headSha() })
  t.same(await lockStates(world, ['on/a', 'on/b']), { 'on/a': 'held.merged', 'on/b': 'held.merged' })
  await report(world, run?.id, 'on/a')
  await report(world, run?.id, 'on/b', 'none')
  t.same(await lockStates(world, ['on/a', 'on/b']), { 'on/a': 'free', 'on/b': 'free' })
  await query(
    world,
    `insert into jobs (queue, kind, payload) select queue, kind, payload from jobs
     where kind = 'apply_on_merge' and (payload->>'pr_number')::int = ${pull.number}`,
  )
  await world.settled()
  t.same(await runsOf(world, pull, 'apply', 'push'), ['applied: on/a on/b'])
})

t.test('a merge applies nothing where comments or API keys do', async (t) => {
  for (const mode of ['comment', 'off']) {
    await policy(world, { mode })
    const { pull } = await planned(world, [`mode/${mode}`])
    t.same(await merge(pull), { runs: [], told: [] }, mode)
  }
})

// What prevents the apply of a merge, and what its comment says.
const refusals: [string, object, (pull: PullRequestHandle) => unknown, RegExp][] = [
  ['approvals', { approvals: 1 }, () => undefined, /`approval`: 0 of 1 needed approval/],
  ['four eyes', { four_eyes: true }, () => undefined, /`four_eyes`: ada wrote this pull request/],
  ['checks', { checks: ['cost'] }, () => undefined, /`check`: Stack checks has no verdict of the required check cost/],
  [
    'an invalid policy',
    {},
    () => pushPolicy(world, 'version: 2\n'),
    /`config`: svc\.yml of the default branch is invalid/,
  ],
]
for (const [name, apply, change, says] of refusals) {
  t.test(`a merge that the gate refuses gets a comment: ${name}`, async (t) => {
    await onMerge(apply)
    const { pull } = await planned(world, [name.split(' ')[0] ?? ''])
    await change(pull)
    const { runs, told } = await merge(pull, 'ada')
    t.same(runs, [])
    t.match(told, [says])
    t.match(told, [/Merged, and \w{7} is not applied.*\*\*Next:\*\* Nothing was applied and no lock was taken/s])
  })
}

/** In how many seconds a merge is judged again; undefined if it waits for nothing. */
const dueIn = async (pull: PullRequestHandle): Promise<number | undefined> => {
  const rows = () =>
    query(
      world,
      `select state, extract(epoch from run_at - clock_timestamp())::int as seconds from jobs
       where kind = 'apply_on_merge' and state in ('queued', 'running') and (payload->>'pr_number')::int = ${pull.number}`,
    )
  await until(async () => (await rows()).every(({ state, seconds }) => state === 'queued' && seconds > 0))
  return (await rows())[0]?.seconds
}

const ring = async (pull: PullRequestHandle): Promise<number | undefined> => {
  await query(
    world,
    `update jobs set run_at = now() where kind = 'apply_on_merge' and state = 'queued'
     and (payload->>'pr_number')::int = ${pull.number}`,
  )
  await nudge(world.pool)
  return dueIn(pull)
}

t.test('a merge inside of a freeze waits, says until when, and applies by itself', async (t) => {
  const day = (ahead: number): string => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  await onMerge({ windows: [{ deny: `${day(-1)}..${day(2)}`, reason: 'a freeze' }] })
  const { pull } = await planned(world, ['frozen'])
  const waits = () => answersTo(pull, `merge ${pull.number} waits`)
  await pull.merge('rob')
  await until(() => waits().length > 0)
  t.match(waits(), [
    /Merged, and applied once applies may begin.*no apply begins at .*a freeze.*Wait until \w+ .* UTC/s,
  ])
  const seconds = [await dueIn(pull), await ring(pull)]
  t.ok(
    seconds.every((one = 0) => one > 0 && one <= 3600),
    `still shut, and asked again in ${seconds} s`,
  )
  t.same([waits().length, await runsOf(world, pull, 'apply', 'push')], [1, []])
  await onMerge({ windows: [{ deny: day(-1) }] })
  t.equal(await ring(pull), undefined, 'nothing is waited for any more')
  await world.settled()
  t.same(await runsOf(world, pull, 'apply', 'push'), ['applying: frozen'])
  t.same(answersTo(pull, `merge ${pull.number}`), [], 'and it is refused at no time')
})

t.test('a merge inside of a freeze that something else refuses, too, is refused at once', async (t) => {
  const day = new Date().toISOString().slice(0, 10)
  await onMerge({ approvals: 1, windows: [{ deny: `${day}..2999-12-31` }] })
  const { pull } = await planned(world, ['frozen-and-more'])
  const { runs, told } = await merge(pull)
  t.same(runs, [])
  t.match(told, [/`approval`: 0 of 1 needed.*`window`: Now no apply begins/s])
  t.same(answersTo(pull, `merge ${pull.number} waits`), [])
  t.equal(await ring(pull), undefined)
})

t.test('rules say which stacks a merge applies; the others wait for a comment', async (t) => {
  await policy(world, {
    rules: [
      { match: 'prod/**', mode: 'on_merge' },
      { match: 'never/**', mode: 'off' },
    ],
  })
  const { pull } = await planned(world, ['dev/x', 'prod/x', 'never/x'])
  const { answers } = await comment(world, pull, 'svc apply')
  t.match(answers, [/`mode`: Some stacks are applied when their pull request is merged \(apply\.rules/])
  t.match(answers, [/`mode`: Some stacks are applied by no pull request \(apply\.rules/])
  t.same((await comment(world, pull, 'svc apply dev/x')).answers, [])
  const commented = await query(world, `select id from runs where pr_number = ${pull.number} and mode = 'apply'`)
  await report(world, commented[0]?.id, 'dev/x')
  await world.settled()
  t.same(await merge(pull), { runs: ['applying: prod/x'], told: [] })
  const [run] = await query(
    world,
    `select id from runs where pr_number = ${pull.number} and mode = 'apply' and trigger = 'push'`,
  )
  await report(world, run?.id, 'prod/x')
  t.same(await runsOf(world, pull, 'apply', 'push'), ['applied: prod/x'])
  t.same(await lockStates(world, ['dev/x', 'prod/x']), { 'dev/x': 'free', 'prod/x': 'free' })
})

t.test('a plan that names no stack yet is told of, whatever rules say of some', async (t) => {
  await onMerge({ rules: [{ match: 'never/**', mode: 'off' }] })
  const { pull } = await opened(world)
  const { runs, told } = await merge(pull)
  t.same(runs, [])
  t.match(told, [/`plan`: The plan is not finished/])
  const { pull: off } = await planned(world, ['never/y'])
  t.same(await merge(off), { runs: [], told: [] }, 'and nothing where all of it is off')
})

t.test('a merge by someone else counts as the second pair of eyes', async (t) => {
  await onMerge({ four_eyes: true })
  const { pull } = await planned(world, ['eyes'])
  t.same((await merge(pull, 'rob')).runs, ['applying: eyes'])
})

t.test('a pull request merged while its plan is under way gets a comment, and is never applied by guess', async (t) => {
  await onMerge()
  const { pull } = await planning(world, ['early'])
  await world.settled()
  const { runs, told } = await merge(pull)
  t.same(runs, [])
  t.match(told, [/`plan`: The plan is not finished/])
})

t.test('a merge with nothing planned, nothing affected, or into another branch gets no comment', async (t) => {
  await onMerge()
  t.same(await merge(await openPull(world, {})), { runs: [], told: [] }, 'no plan')
  const { pull: none, job, id } = await opened(world)
  await job.upload(id, { graph: { stacks: [stack('untouched')] } })
  t.same(await merge(none), { runs: [], told: [] }, 'no stack')
  await repository.push({ branch: 'release', changes: { 'notes/release.md': 'release\n' } })
  const side = await github.openPullRequest({
    ...{ repo: 'acme/infra', branch: 'side', base: 'release', title: 'A change', author: 'ada' },
    changes: { 'notes/side.md': 'side\n' },
  })
  const sideJob = playJob(world, side)
  const runId = String((await sideJob.open()).body.run_id)
  await sideJob.upload(runId, { graph: { stacks: [stack('side')] }, stacks: ['side'] })
  await sideJob.report(runId, 'side')
  t.same(await merge(side), { runs: [], told: [] }, 'another branch')
})

t.test(
  'a plan of a former base is not applied, though the merge is the first that is heard of the new one',
  async (t) => {
    await onMerge()
    await repository.push({ branch: 'stage', changes: { 'notes/stage.md': 'stage\n' } })
    const pull = await github.openPullRequest({
      ...{ repo: 'acme/infra', branch: 'staged', base: 'stage', title: 'A change', author: 'ada' },
      changes: { 'notes/staged.md': 'staged\n' },
    })
    const job = playJob(world, pull)
    const id = String((await job.open()).body.run_id)
    await job.upload(id, { graph: { stacks: [stack('staged')] }, stacks: ['staged'] })
    await job.report(id, 'staged')
    await world.settled()
    const lost = github.faults.add({ kind: 'webhook', effect: 'vanish' })
    await pull.retarget('main')
    lost.remove()
    const { runs, told } = await merge(pull)
    t.same(runs, [])
    t.match(told, [/Merged, and \w{7} is not applied.*`plan`: /s])
  },
)

t.test('a lock of another pull request refuses the apply of a merge', async (t) => {
  await policy(world, {})
  const holder = await planned(world, ['taken'])
  await comment(world, holder.pull, 'svc apply')
  await onMerge()
  const { pull } = await planned(world, ['taken'])
  const { runs, told } = await merge(pull)
  t.same(runs, [])
  t.match(told, [new RegExp(`\`lock\`: Stack taken is locked by pull request #.?${holder.pull.number}`)])
})

t.test('a merge whose apply is given up gets a comment, if there is anything to apply', async (t) => {
  await onMerge()
  const { pull } = await planned(world, ['given-up'])
  const path = '/repos/{owner}/{repo}/contents/{path}'
  const down = github.faults.add({ kind: 'request', method: 'GET', path, effect: { status: 400, message: 'no @acme' } })
  const is = (state: string) => async () =>
    (await query(world, `select from jobs where kind = 'apply_on_merge' and state = '${state}' and last_error <> ''`))
      .length === 1
  await pull.merge('rob')
  await until(is('queued'))
  const told = () => answersTo(pull, `merge ${pull.number} given up`)
  t.same(told(), [], 'it is tried again')
  await query(world, `update jobs set attempt = 4, run_at = now() where kind = 'apply_on_merge' and state = 'queued'`)
  await nudge(world.pool)
  await until(is('dead'))
  // Not until the queue is empty: another job may have met the same failure, and wait minutes for its next try.
  await until(() => told().length > 0)
  t.match(told(), [/Merged, and what was planned here is not applied\n\n.* gave up: .*svc.*yml.*400/])
  t.match(told(), [/\*\*Next:\*\* nothing was applied/])
  down.remove()
})

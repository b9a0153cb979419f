import t from 'tap'
import { addJobs } from '#db/queue/jobs.ts'
import { makeJob } from '#jobs/job.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { applying, lose, report } from '#test/scenes/applying.ts'
import { addKey, dependsOn, planning, query, send } from '#test/scenes/scene.ts'

/** Follows the machine's clock, and runs further ahead if a test says so. */
let ahead = 0
const clock = { now: () => new Date(Date.now() + ahead) }

const world = await startWorld(t, { replaced: { clock } })
const key = await addKey(world)
world.repository.setPermission('grace', 'write')

type Pull = { checkRuns(sha?: string): readonly { name: string; status: string; conclusion: string | null }[] }

const conclusions = (pull: Pull, prefix = 'svc/apply'): Record<string, string> =>
  Object.fromEntries(
    pull
      .checkRuns()
      .filter(({ name }) => name.startsWith(prefix))
      .map(({ name, status, conclusion }) => [name, conclusion ?? status]),
  )

const commentOf = (pull: { comments(): readonly { body: string }[] }): string =>
  pull.comments().find(({ body }) => body.startsWith('<!-- svc:comment -->'))?.body ?? ''

const publish = async (runId: string): Promise<void> => {
  const [row] = await query(world, 'select installation_id from repositories limit 1')
  await addJobs(world.pool, [
    makeJob('publish_run', { run_id: runId }, { installationId: row?.installation_id, cause: null }),
  ])
  await world.settled()
}

type Outcome = 'changes' | 'none' | 'failed' | 'unconfirmed' | 'lost'

// How the first of two stacks ends, and the second, which depends on it, in a later wave.
const table: [first: Outcome, second: Outcome | undefined, run: string, one: string, two: string][] = [
  ['changes', 'changes', 'success', 'success', 'success'],
  ['changes', 'none', 'success', 'success', 'success'],
  ['changes', 'failed', 'failure', 'success', 'failure'],
  ['failed', undefined, 'failure', 'failure', 'cancelled'],
  ['lost', undefined, 'failure', 'action_required', 'cancelled'],
  ['unconfirmed', undefined, 'action_required', 'action_required', 'cancelled'],
]

for (const [first, second, ofRun, ofOne, ofTwo] of table) {
  t.test(`check runs of an apply whose stacks end with "${first}", then "${second ?? 'nothing'}"`, async (t) => {
    const [one, two] = [`${first}-${second}/one`, `${first}-${second}/two`]
    const { pull, applyId } = await applying(world, [[one], [two]], [dependsOn(two, one)])
    if (first === 'lost') await lose(world, applyId, one)
    else await report(world, applyId, one, first)
    if (second !== undefined && second !== 'lost') await report(world, applyId, two, second)
    await publish(applyId)
    t.same(conclusions(pull), {
      'svc/apply': ofRun,
      [`svc/apply: ${one}`]: ofOne,
      [`svc/apply: ${two}`]: ofTwo,
    })
  })
}

t.test('the comment of a pull request shows its newest apply above its plan', async (t) => {
  const { pull, applyId, id } = await applying(world, [['shown']])
  await publish(applyId)
  const during = commentOf(pull)
  t.match(during, /^<!-- svc:comment -->\n### ⏳ Apply of \w{7}: 0 of 1 stack done\n/)
  t.match(during, /\n### ✅ Plan of \w{7}: 1 stack: \+1 ~0 -0 ±0\n/)
  t.equal(during.match(/\*\*Next:\*\*/g)?.length, 1, 'one next step: the one that the apply names')
  t.match(during, /\*\*Next:\*\* Nothing to do yet: a wave starts/)
  await report(world, applyId, 'shown', 'failed')
  await publish(applyId)
  t.match(commentOf(pull), /### ❌ Apply of[\s\S]*\*\*Next:\*\* Fix what failed/)
  const again = await send(world, key, `/v1/runs/${id}/rerun`, '')
  await publish(again.body.run_id)
  const newer = commentOf(pull)
  t.match(newer, /### ❌ Apply of \w{7}: 1 failed of 1 stack\n\n\[Apply\]/)
  t.match(newer, /### ⏳ Plan of/)
  t.match(newer, /\*\*Next:\*\* Nothing to do yet: plans appear here/)
  await publish(id)
  t.equal(commentOf(pull), newer, 'also when an older run is published again')
})

t.test('check runs of stacks and verdicts that a second upload drops are ended', async (t) => {
  const { pull, job, id, graph, stackPath } = await planning(world, ['kept', 'dropped'])
  await job.post(`${stackPath('dropped')}/checks/policy`, { status: 'fail' })
  await world.settled()
  t.match(conclusions(pull, 'svc/'), { 'svc/plan: dropped': 'in_progress', 'svc/policy: dropped': 'failure' })
  const uploaded = await job.upload(id, { graph: { ...graph, tree_hash: 'other' }, stacks: ['kept'] })
  t.equal(uploaded.status, 200)
  await world.settled()
  t.match(conclusions(pull, 'svc/'), {
    'svc/plan: kept': 'in_progress',
    'svc/plan: dropped': 'neutral',
    'svc/policy: dropped': 'neutral',
  })
  const before = world.github.requests.length
  await publish(id)
  t.same(
    world.github.requests.slice(before).filter(({ method }) => method !== 'GET'),
    [],
    'and written only once',
  )
})

t.test('a plan of a few stacks leaves the others in the comment, with links to their own run', async (t) => {
  const { pull, job, id } = await planning(world, ['part/a', 'part/b'])
  for (const stack of ['part/a', 'part/b']) await job.report(id, stack)
  pull.comment('svc plan part/a', 'grace')
  await world.settled()
  const [part] = await query(world, `select id from runs where trigger = 'comment' and pr_number = ${pull.number}`)
  if (!part) return t.fail('the command made no run')
  await publish(part.id)
  const comment = commentOf(pull)
  t.match(comment, new RegExp(`\\[\`part/a\`\\]\\(http://svc.example.com/runs/${part.id}\\?stack=part%2Fa\\)`))
  t.match(comment, new RegExp(`\\[\`part/b\`\\]\\(http://svc.example.com/runs/${id}\\?stack=part%2Fb\\)`))
})

t.test('a run of many stacks is shown once a minute with its settled stacks only, and its end at once', async (t) => {
  const keys = Array.from({ length: 60 }, (_, index) => `many/${String(index).padStart(2, '0')}`)
  const { pull, job, id } = await planning(world, keys)
  const title = () => pull.checkRuns().find(({ name }) => name === 'svc/plan')?.title
  const waits = async (key: string) =>
    (await query(world, `select id from jobs where key = '${key}' and state in ('queued', 'running')`)).length > 0
  await until(async () => title() === '0 of 60 stacks done' && (await waits(`${id} later`)) && !(await waits(id)))
  t.same(Object.keys(conclusions(pull, 'svc/')).sort(), ['svc/plan', 'svc/resolve'])
  await job.report(id, 'many/07')
  await job.report(id, 'many/09', { status: 'failure', exit_code: 1 })
  await until(async () => !(await waits(id)))
  t.equal(title(), '0 of 60 stacks done', 'not before a minute has passed')
  ahead += 61_000
  await until(async () => Object.keys(conclusions(pull, 'svc/plan: ')).length === 2)
  t.equal(title(), '2 of 60 stacks done, 1 failed')
  t.same(conclusions(pull, 'svc/plan: '), { 'svc/plan: many/07': 'success', 'svc/plan: many/09': 'failure' })
  for (const one of keys.filter((each) => !/07|09/.test(each))) await job.report(id, one)
  await until(async () => !(await waits(id)))
  t.equal(title(), '1 failed, 59 planned of 60 stacks')
  t.equal(Object.keys(conclusions(pull, 'svc/plan: ')).length, 60)
  ahead += 61_000
  await world.settled()
})

t.test('a pull request that conflicts says why nothing is planned', async (t) => {
  const { pull, id } = await planning(world, ['conflict'])
  await world.repository.push({ changes: { 'conflict.txt': 'main\n' } })
  await pull.push({ 'conflict.txt': 'branch\n' })
  await world.settled()
  await publish(id)
  t.match(commentOf(pull), /- This pull request conflicts with main: until that is resolved, no workflow run starts/)
})

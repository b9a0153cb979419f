import { readFileSync } from 'node:fs'
import t from 'tap'
import { findPullRequest, putPullRequest } from '#db/repositories/pull-requests.ts'
import { transact } from '#db/transact.ts'
import { playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'
import { applying, auditOf, beginApplyOf, lockStates, lose, report } from '#test/scenes/applying.ts'
import { dependsOn, planning, query, stack } from '#test/scenes/scene.ts'

const workflow = readFileSync(new URL('../../../src/runner/workflows/svc-run.yml', import.meta.url), 'utf8')
const world = await startWorld(t, {
  files: { 'svc.yml': 'version: 1\n', '.github/workflows/svc-run.yml': workflow },
})

const statusOf = async (runId: string): Promise<string> =>
  (await query(world, `select status from runs where id = '${runId}'`))[0]?.status

/** Comments on a pull request, without the one of its runs. */
const notes = (pull: { comments(): readonly { body: string }[] }): string[] =>
  pull.comments().flatMap(({ body }) => (body.startsWith('<!-- svc:job ') ? [body.slice(body.indexOf('\n') + 1)] : []))

type Applied = 'not begun' | 'changes' | 'none' | 'failed' | 'unconfirmed' | 'lost'

const applyTo = async (runId: string, key: string, applied: Applied): Promise<unknown> => {
  if (applied === 'not begun') return
  return applied === 'lost' ? lose(world, runId, key) : report(world, runId, key, applied)
}

/** A pull request with a stack for each of these outcomes of its apply, which then ended. */
const ended = async (name: string, end: 'merge' | 'close', ...outcomes: Applied[]) => {
  const keyOf = (applied: Applied) => `${name}/${applied.replace(' ', '-')}`
  const scene = await applying(world, [outcomes.map(keyOf)])
  for (const applied of outcomes) await applyTo(scene.applyId, keyOf(applied), applied)
  await scene.pull[end]()
  await world.settled()
  return { ...scene, lock: async (applied: Applied) => (await lockStates(world, [keyOf(applied)]))[keyOf(applied)] }
}

// The outcome of a stack's apply before its pull request ended, and the state of its lock then.
const table: [applied: Applied, merged: string, closed: string][] = [
  // still out: the default branch has its change, or no branch has it any more
  ['not begun', 'held.merged', 'held.orphaned'],
  ['changes', 'free', 'held.orphaned'],
  ['none', 'free', 'free'],
  ['failed', 'free', 'held.orphaned'],
  ['unconfirmed', 'free', 'held.orphaned'],
  ['lost', 'held.orphaned', 'held.orphaned'],
]

for (const end of ['merge', 'close'] as const) {
  t.test(`after the ${end} of a pull request each lock follows the outcome of its stack's apply`, async (t) => {
    const scene = await ended(end, end, ...table.map(([applied]) => applied))
    for (const [applied, merged, closed] of table) {
      t.equal(await scene.lock(applied), end === 'merge' ? merged : closed, applied)
    }
    const [note, ...more] = notes(scene.pull)
    t.same(more, [])
    const left = table.filter((row) => row[end === 'merge' ? 1 : 2] === 'held.orphaned').map(([applied]) => applied)
    t.same(
      note?.match(/(?<=^- `(merge|close)\/)[^`]+/gm)?.sort(),
      left.map((applied) => applied.replace(' ', '-')).sort(),
      'and a comment names the locks that are left',
    )
    t.match(note, end === 'merge' ? /is merged, and its apply did not end well/ : /closed without being merged/)
    t.equal(
      (await auditOf(world, 'lock_orphaned')).filter(({ target }) => target.includes(`//${end}/`)).length,
      left.length,
    )
  })
}

t.test('an apply that was out at the merge frees its lock when it has applied', async (t) => {
  const { applyId, lock } = await ended('late', 'merge', 'not begun')
  await report(world, applyId, 'late/not-begun')
  t.equal(await lock('not begun'), 'free')
  t.equal(await statusOf(applyId), 'applied')
})

t.test('an apply that was out at the merge and fails leaves its lock held, and says so', async (t) => {
  const { applyId, lock, pull } = await ended('bad', 'merge', 'not begun')
  await report(world, applyId, 'bad/not-begun', 'failed')
  await world.settled()
  t.equal(await lock('not begun'), 'held.orphaned')
  t.match(notes(pull), [/### ⚠️ Closed, and 1 lock still held/])
  t.match((await auditOf(world, 'lock_orphaned')).at(-1), {
    target: 'acme/infra//bad/not-begun',
    details: { repo: 'acme/infra', stack: 'bad/not-begun', pr: pull.number, run_id: applyId },
  })
})

t.test('a reopened pull request has its locks back; closed again, it gets another comment', async (t) => {
  const { pull, lock } = await ended('again', 'close', 'changes')
  await pull.reopen()
  await world.settled()
  t.equal(await lock('changes'), 'held.changed')
  await pull.close()
  await world.settled()
  t.equal(await lock('changes'), 'held.orphaned')
  t.equal(notes(pull).length, 2)
})

t.test('deliveries that come again, in any order, change nothing', async (t) => {
  const { pull, lock } = await ended('twice', 'close', 'changes')
  const transitions = () =>
    query(world, 'select (select count(*) from journal) + (select count(*) from lock_journal) as count')
  const before = await transitions()
  await query(
    world,
    `insert into jobs (queue, kind, payload) select 'events', kind, payload from jobs
     where queue = 'events' and kind = 'pull_request' and (payload->>'number')::int = ${pull.number}`,
  )
  await world.settled()
  t.same(await transitions(), before)
  t.equal(await lock('changes'), 'held.orphaned')
  t.equal(notes(pull).length, 1)
})

t.test('a push supersedes plans before any job of the new head came', async (t) => {
  const { pull, id, job } = await planning(world, ['pushed'])
  await job.report(id, 'pushed')
  await pull.push({ 'notes/more.md': 'more\n' })
  await world.settled()
  t.equal(await statusOf(id), 'superseded')
  t.match(await query(world, `select snapshot->'context'->'superseded_by' as by from runs where id = '${id}'`), [
    { by: { sha: pull.headSha() } },
  ])
})

t.test('a push lets the wave that is out end, and sends no further one', async (t) => {
  const { pull, applyId } = await applying(world, [['first'], ['second']], [dependsOn('second', 'first')])
  await world.settled()
  const old = pull.headSha()
  await pull.push({ 'notes/again.md': 'more\n' })
  await world.settled()
  t.equal(await statusOf(applyId), 'applying')
  t.match(await query(world, `select warnings from runs where id = '${applyId}'`), [
    { warnings: [{ code: 'superseding', message: new RegExp(`^${pull.headSha().slice(0, 7)} replaced`) }] },
  ])
  await report(world, applyId, 'first')
  t.equal(await statusOf(applyId), 'superseded')
  await world.settled()
  const conclusions = pull.checkRuns(old).map((check) => [check.name, check.conclusion])
  t.same(Object.fromEntries(conclusions.filter(([name]) => name?.startsWith('svc/apply'))), {
    'svc/apply': 'cancelled',
    'svc/apply: first': 'success',
    'svc/apply: second': 'cancelled',
  })
  t.same(await lockStates(world, ['first', 'second']), { first: 'held.changed', second: 'held.claimed' })
})

/* The delivery about a newer commit is lost: whoever hears of the commit first draws the same consequences. */
const lostPush = async (name: string) => {
  const [one, two] = [`${name}/1`, `${name}/2`]
  const { pull, applyId } = await applying(world, [[one], [two]], [dependsOn(two, one)])
  await world.settled()
  const lost = world.github.faults.add({ kind: 'webhook', effect: 'vanish' })
  await pull.push({ 'notes/unheard.md': 'more\n' })
  return { pull, applyId, found: () => lost.remove() }
}

const dispatchedWaves = async (applyId: string) =>
  (await query(world, `select wave from dispatches where run_id = '${applyId}' order by wave`)).map(({ wave }) => wave)

t.test('a head that a job registers supersedes an apply of the former head', async (t) => {
  const { pull, applyId, found } = await lostPush('registered')
  const { run_id: runId } = (await playJob(world, pull).open()).body
  found()
  t.match(await query(world, `select warnings from runs where id = '${applyId}'`), [
    { warnings: [{ code: 'superseding' }] },
  ])
  await report(world, applyId, 'registered/1')
  await world.settled()
  t.equal(await statusOf(applyId), 'superseded')
  t.same(await dispatchedWaves(applyId), [0], 'its second wave is never sent')
  t.equal(await statusOf(String(runId)), 'pending')
})

t.test('a head that nobody told of is seen before the next wave is sent', async (t) => {
  const { applyId, found } = await lostPush('unheard')
  await report(world, applyId, 'unheard/1')
  await world.settled()
  found()
  t.equal(await statusOf(applyId), 'superseded')
  t.same(await dispatchedWaves(applyId), [0])
})

t.test('a merge frees each of two locks by the state of its own stack', async (t) => {
  const { pull, applyId } = await applying(world, [['wave/0'], ['wave/1']], [dependsOn('wave/1', 'wave/0')])
  await report(world, applyId, 'wave/0')
  await pull.merge()
  await world.settled()
  t.same(await lockStates(world, ['wave/0', 'wave/1']), { 'wave/0': 'free', 'wave/1': 'held.merged' })
  await report(world, applyId, 'wave/1', 'none')
  t.same(await lockStates(world, ['wave/1']), { 'wave/1': 'free' })
})

t.test('after a merge into another branch the locks are as after a closing', async (t) => {
  await world.repository.push({ branch: 'release', changes: { 'notes/release.md': 'release\n' } })
  const pull = await world.github.openPullRequest({
    ...{ repo: 'acme/infra', branch: 'sideways', base: 'release', title: 'A change', author: 'ada' },
    changes: { 'notes/sideways.md': 'side\n' },
  })
  const keys = ['side/changed', 'side/same', 'side/out']
  const job = playJob(world, pull)
  const id = String((await job.open()).body.run_id)
  await job.upload(id, { graph: { stacks: keys.map((key) => stack(key)) }, stacks: keys })
  for (const key of keys) await job.report(id, key)
  const applyId = await beginApplyOf(world, { pull, waves: [keys], planRunId: id })
  await report(world, applyId, 'side/changed')
  await report(world, applyId, 'side/same', 'none')
  await pull.merge()
  await world.settled()
  const states = { 'side/changed': 'held.orphaned', 'side/same': 'free', 'side/out': 'held.orphaned' }
  t.same(await lockStates(world, keys), states)
  t.match(notes(pull), [/merged into `release`, which is not the default branch,.*- `side\/changed`/s])
  await report(world, applyId, 'side/out')
  t.same(await lockStates(world, keys), states)
})

t.test('the locks of another pull request or a manual run stay held', async (t) => {
  const { pull } = await applying(world, [['mine']])
  const { id } = await planning(world, ['manual'])
  await beginApplyOf(world, { planRunId: id, waves: [['manual']] })
  await pull.close()
  await world.settled()
  t.same(await lockStates(world, ['manual']), { manual: 'held.manual' })
})

t.test('a pull request that gets another base must be planned again', async (t) => {
  const { pull, id, job } = await planning(world, ['based'])
  await job.report(id, 'based')
  await query(world, `update pull_requests set base_ref = 'release' where number = ${pull.number}`)
  await pull.close()
  await world.settled()
  t.equal(await statusOf(id), 'superseded', 'though it is closed: it may be reopened')
  t.match(await query(world, `select warnings from runs where id = '${id}'`), [
    {
      warnings: [{ code: 'superseding', message: /to be merged into main.*comparing it with release: push a commit/ }],
    },
  ])
})

t.test('a pull request is called what the code host called it last, whoever asked first', async (t) => {
  const { pull } = await planning(world, ['titled'])
  const { id: repoId } = world.repository
  const titleOf = async () => (await findPullRequest(world.pool, repoId, pull.number))?.title
  t.equal(await titleOf(), 'A change')
  await pull.retitle('A better change')
  await world.settled()
  t.equal(await titleOf(), 'A better change')
  const known = await findPullRequest(world.pool, repoId, pull.number)
  const late = { ...known!, merged_at: null, title: 'A change' }
  await transact(world.pool, (tx) => putPullRequest(tx, late, new Date(0)))
  t.equal(await titleOf(), 'A better change', 'an answer from before says nothing')
})

t.test('an invalid configuration that is pushed to the default branch is audited at once, once', async (t) => {
  await world.repository.push({ changes: { 'svc.yml': 'version: 2\n' } })
  await world.settled()
  t.match(await auditOf(world, 'config_invalid'), [{ target: 'acme/infra', details: { repo: 'acme/infra' } }])
  await world.repository.push({ changes: { 'svc.yml': 'version: 1\n' } })
  await world.settled()
  t.equal((await auditOf(world, 'config_invalid')).length, 1)
})

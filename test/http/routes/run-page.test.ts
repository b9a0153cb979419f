import t from 'tap'
import { applying, beginApplyOf, lose, report } from '#test/scenes/applying.ts'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { addKey, dependsOn, planning, query, send } from '#test/scenes/scene.ts'
import type { Json } from '#test/scenes/served.ts'
import { ask, post, twoOrganisations } from '#test/scenes/two-organisations.ts'

const { world, grace, rita } = await twoOrganisations(t, { files: withWorkflow })
const key = await addKey(world)
const get = async (id: string): Promise<Json> => (await send(world, key, `/v1/runs/${id}?text=none`)).body
const textsOf = ({ attention = [] }: Json): string[] => attention.map(({ text }: Json) => text)

t.test('a run counts its stacks by status and wave, and adds up what they change', async (t) => {
  const { id, job, pull } = await planning(world, ['app', 'cache', 'network'], [dependsOn('app', 'network')])
  t.match(await get(id), { counts: { planning: 3 }, totals: { adds: 0 }, next: /^Nothing to do yet/ })
  const summary = { adds: 2, changes: 1, destroys: 0, replaces: 0, imports: 4 }
  await job.report(id, 'network', { summary })
  await job.report(id, 'cache', { summary: { ...summary, adds: 0 } })
  const run = await get(id)
  t.same(run.counts, { planned: 2, planning: 1 })
  t.same(run.totals, { adds: 2, changes: 2, destroys: 0, replaces: 0, imports: 8, moves: 0, output_changes: 0 })
  t.match(run.by_wave, [
    { wave: 0, counts: { planned: 2 }, started_at: /Z$/, finished_at: /Z$/ },
    { wave: 1, counts: { planning: 1 }, started_at: /Z$/ },
  ])
  t.notOk('finished_at' in run.by_wave[1])
  t.notOk('attention' in run)
  t.match(run, { pr_title: 'A change', pr_url: new RegExp(`/acme/infra/pull/${pull.number}$`) })
  t.match(run.commit_url, new RegExp(`/acme/infra/commit/${pull.headSha()}$`))
  await job.report(id, 'app')
  await world.settled()
  t.equal(
    (await get(id)).next,
    'Read the plans; comment `svc apply` to apply them.',
    "as the pull request's comment says",
  )
  t.match(pull.comments().at(0)?.body, 'Read the plans; comment `svc apply` to apply them.')
})

t.test('what somebody has to look at is said in the words of the comment, with what to link', async (t) => {
  const { id, job } = await planning(world, ['broken', 'fine'])
  await job.post(`/v1/runs/${id}/stacks/fine/checks/policy`, { status: 'fail', summary: '2 findings' })
  await job.post(`/v1/runs/${id}/stacks/fine/checks/cost`, { status: 'warn', summary: 'more' })
  await job.report(id, 'fine')
  t.same((await get(id)).attention, [
    { kind: 'check_failed', text: 'policy of fine failed: 2 findings', stack_key: 'fine', check: 'policy' },
  ])
  await job.report(id, 'broken', { status: 'failure', exit_code: 1 })
  const run = await get(id)
  t.match(run.attention[0], { kind: 'stack_failed', text: 'broken failed, exit code 1', stack_key: 'broken' })
  t.match(run.next, /^Fix what failed and push/)
})

t.test('a failed stack says how many it blocks, an unknown one that nobody reported it', async (t) => {
  const edges = [dependsOn('web', 'db'), dependsOn('jobs', 'db')]
  const { applyId, id } = await applying(
    world,
    [
      ['db', 'dns'],
      ['jobs', 'web'],
    ],
    edges,
  )
  await report(world, applyId, 'db', 'failed')
  await lose(world, applyId, 'dns')
  const run = await get(applyId)
  t.same(textsOf(run), [
    'db failed, exit code 1; 2 stacks are blocked by it',
    'dns is unknown: its job ended without a report',
  ])
  t.match(run, { plan_run_id: id, counts: { failed: 1, unknown: 1, blocked: 2 } })
  t.match(run.next, /^A job ended without a report/)
})

t.test('a plan says whose lock it waits for, until a newer commit replaces it', async (t) => {
  const holder = await planning(world, ['shared'])
  await holder.job.report(holder.id, 'shared')
  const applyId = await beginApplyOf(world, { pull: holder.pull, waves: [['shared']], planRunId: holder.id })
  const waiting = await planning(world, ['shared'])
  await waiting.job.report(waiting.id, 'shared')
  const run = await get(waiting.id)
  t.same(run.attention, [
    {
      kind: 'stack_locked',
      text: `shared is locked by #${holder.pull.number}`,
      stack_key: 'shared',
      locked_by: { run_id: applyId, pr_number: holder.pull.number },
    },
  ])
  t.match(run.next, /has to wait until others release their locks/)
  const { attention = [] } = await get(applyId)
  t.notOk(
    attention.some(({ kind }: Json) => kind === 'stack_locked'),
    'the holder waits for nobody',
  )
  const sha = await waiting.pull.push({ 'notes/again.md': 'x' })
  await world.settled()
  const replaced = await get(waiting.id)
  t.match(replaced, { status: 'superseded', superseded_by: { sha } })
  t.notOk('attention' in replaced)
})

t.test('a run that is replaced names the run of the newer commit once there is one', async (t) => {
  const first = await planning(world, ['again'])
  const sha = await first.pull.push({ 'notes/newer.md': 'x' })
  await world.settled()
  t.same((await get(first.id)).superseded_by, { sha })
  const newer = await query(
    world,
    `insert into runs (installation_id, id, repo_id, pr_number, sha, mode, trigger, requested_by, status, snapshot, version, seq, created_at)
     select installation_id, gen_random_uuid(), repo_id, pr_number, '${sha}', 'plan', 'pull_request', 'ada', 'pending', snapshot, 1, 0, now()
     from runs where id = '${first.id}' returning id`,
  )
  t.same((await get(first.id)).superseded_by, { sha, run_id: newer[0]?.id })
})

t.test('a re-run names the run that it repeats, in lists too', async (t) => {
  const { id, job, pull } = await planning(world, ['twice'])
  await job.report(id, 'twice')
  await world.settled()
  const answer = await post(grace, `/v1/runs/${id}/rerun`, {})
  t.equal(answer.status, 201, answer.text)
  t.match(await get(answer.json.run_id), { rerun_of: id })
  const { items } = (await ask(rita, `/v1/repos/acme/infra/runs?pr=${pull.number}`)).json
  t.match(items[0], { id: answer.json.run_id, rerun_of: id, pr_url: new RegExp(`/pull/${pull.number}$`) })
  t.notOk('rev' in items[0] || 'counts' in items[0], 'what takes a look at the rows is for one run')
})

t.test('of many stacks the first are told one by one, and the rest are counted', async (t) => {
  const keys = Array.from({ length: 23 }, (_, n) => `many/${String(n).padStart(2, '0')}`)
  const { id, job } = await planning(world, keys)
  for (const one of keys) await job.report(id, one, { status: 'failure', exit_code: 1 })
  const { attention } = await get(id)
  t.equal(attention.length, 21)
  t.same(attention.at(-1), { kind: 'more', text: '… and 3 more stacks' })
})

t.test('a cycle of dependencies is spelled', async (t) => {
  const { id } = await planning(world, ['x', 'y'], [dependsOn('x', 'y'), dependsOn('y', 'x')])
  const run = await get(id)
  t.match(run.attention[0], { kind: 'run_failed', text: /x → y → x|y → x → y/ })
})

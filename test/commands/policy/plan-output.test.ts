import t from 'tap'
import type { PullRequestHandle } from '#emulator/handles.ts'
import { startWorld } from '#test/helpers/world.ts'
import { comment, newestRun, planned, pushPolicy } from '#test/scenes/commenting.ts'
import { dispatched, dispatchedJob, withWorkflow } from '#test/scenes/dispatched.ts'
import { addKey, planning, query, send } from '#test/scenes/scene.ts'

/*
 * Of a stack that the default branch keeps to `summary` no text is ever stored (docs/interface.md, 'POST
 * /v1/runs/{id}/stacks/{key}/result'): not in runs either that go by a plan from before it said so.
 */

const world = await startWorld(t, { files: withWorkflow })
const key = await addKey(world)
world.repository.setPermission('rob', 'write')
world.repository.setPermission('ada', 'admin')

const open = 'version: 1\napply: {approvals: 0}\n'
const kept = `${open}stacks: [{match: secret, plan_output: summary}]\n`
const sent = { plan_text: 'hunter2 in the plan', error_text: 'Error: hunter2 is wrong' }

const outputs = async (runId: string): Promise<string[]> => {
  const rows = await query(world, `select key, plan_output from run_stacks where run_id = '${runId}' order by key`)
  return rows.map((row) => `${row.key} ${row.plan_output}`)
}

const stored = async (runId: string): Promise<string[]> => {
  const rows = await query(
    world,
    `select key from results join run_stacks using (run_id, stack_id)
     where run_id = '${runId}' and (plan_text is not null or body::text like '%hunter2%') order by key`,
  )
  return rows.map((row) => row.key)
}

/** Puts an svc.yml on the default branch, whose push is followed. */
const settle = async (text: string): Promise<void> => {
  await pushPolicy(world, text)
  await world.settled()
}

const newest = (pull: PullRequestHandle, mode = 'plan'): Promise<string> => newestRun(world, pull, mode)

/** A job that a run's dispatch has started reports on stacks. */
const reportDispatched = async (runId: string, keys: string[]): Promise<number[]> => {
  const played = (await dispatched(world, runId)).play()
  const job = dispatchedJob(world, played, 'default')
  await job.join(runId)
  const report = { ...sent, mode: 'plan', exit_code: 2 }
  const statuses: number[] = []
  for (const one of keys) statuses.push((await job.report(runId, one, report)).status)
  return statuses
}

t.beforeEach(() => settle(open))

t.test('a late result of a run that was resolved before', async (t) => {
  const { job, id } = await planning(world, ['net', 'secret'])
  const other = await planning(world, ['net', 'secret'])
  await other.job.report(other.id, 'secret', sent)
  await settle(kept)
  t.same(await outputs(id), ['net full', 'secret summary'])
  t.match(await job.report(id, 'secret', sent), { status: 200, body: { plan_output: 'summary' } })
  t.match(await job.report(id, 'net', sent), { status: 200, body: { plan_output: 'full', plan_text: sent.plan_text } })
  t.same(await stored(id), ['net'])
  await settle(open)
  t.same(await outputs(id), ['net full', 'secret summary'], 'it is not taken back')
})

t.test('a re-run', async (t) => {
  const { id } = await planned(world, ['net', 'secret'])
  await settle(kept)
  const { status, body } = await send(world, key, `/v1/runs/${id}/rerun`, '')
  t.equal(status, 201)
  t.same(await outputs(body.run_id), ['net full', 'secret summary'])
  t.same(await outputs(id), ['net full', 'secret full'], 'what is over stays as it was')
  const run = await dispatched(world, body.run_id)
  t.match(JSON.parse(run.now().inputs.stacks ?? '').include, [
    { key: 'net', plan_output: undefined },
    { key: 'secret', plan_output: 'summary' },
  ])
  t.same(await reportDispatched(body.run_id, ['net', 'secret']), [200, 200])
  t.same(await stored(body.run_id), ['net'])
})

t.test('svc plan', async (t) => {
  const { pull } = await planned(world, ['net', 'secret'])
  await settle(kept)
  t.same((await comment(world, pull, 'svc plan')).reactions, ['eyes', 'rocket'])
  t.same(await outputs(await newest(pull)), ['net full', 'secret summary'])
})

t.test('svc apply', async (t) => {
  const { pull } = await planned(world, ['net', 'secret'])
  await settle(kept)
  t.same((await comment(world, pull, 'svc apply')).reactions, ['eyes', 'rocket'])
  t.same(await outputs(await newest(pull, 'apply')), ['net full', 'secret summary'])
})

t.test('plan.output of the whole file counts as well', async (t) => {
  const { id } = await planned(world, ['net', 'secret'])
  await settle(`${open}plan: {output: summary}\nstacks: [{match: net, plan_output: full}]\n`)
  const { body } = await send(world, key, `/v1/runs/${id}/rerun`, '')
  t.same(await outputs(body.run_id), ['net full', 'secret summary'])
})

t.test('while svc.yml of the default branch is invalid, of all stacks', async (t) => {
  const { pull, id } = await planned(world, ['net'])
  await settle(`${kept}typo: 1\n`)
  const late = await planning(world, ['net', 'secret'])
  t.same(await outputs(late.id), ['net summary', 'secret summary'], 'what it keeps is not known')
  await late.job.report(late.id, 'secret', sent)
  t.same(await stored(late.id), [])
  const { body } = await send(world, key, `/v1/runs/${id}/rerun`, '')
  t.same(await outputs(body.run_id), ['net summary'])
  t.match(body.run.warnings, [{ code: 'config_invalid', message: /typo/ }])
  t.same(await reportDispatched(body.run_id, ['net']), [200])
  t.same((await comment(world, pull, 'svc plan', 'ada')).reactions, ['eyes', 'rocket'])
  const again = await send(world, key, `/v1/runs/${await newest(pull)}`)
  t.match(again.body, { stacks: [{ plan_output: 'summary' }], warnings: [{ code: 'config_invalid' }] })
})

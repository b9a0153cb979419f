import t from 'tap'
import { addJobs } from '#db/queue/jobs.ts'
import { makeJob } from '#jobs/job.ts'
import { startWorld } from '#test/helpers/world.ts'
import {
  dispatchedApply,
  dispatchedJob,
  dispatchStates,
  runFile,
  standing,
  withWorkflow,
} from '#test/scenes/dispatched.ts'
import { query } from '#test/scenes/scene.ts'

/*
 * Anyone with push permission can start svc-run.yml by hand, with the inputs, and so the name, of a run that the service
 * dispatched. The matrix and saved plans of that run were not approved: it is not a run of the service.
 */

const world = await startWorld(t, { files: withWorkflow })
const { repository } = world

/** The dispatch as it is if the code host did not say which workflow run it started, or never started one. */
const unanswered = (runId: string, state: string) =>
  query(
    world,
    `update dispatches set state = '${state}', workflow_run_id = null, workflow_run_attempt = null,
     snapshot = '{"value": "${state}", "context": {"wave": 0, "part": 1, "refusals": 0}}' where run_id = '${runId}'`,
  )

/** The dispatch as it is if the code host said which workflow run it started, and that one has not begun. */
const announced = (runId: string, workflowRunId: number) =>
  query(
    world,
    `update dispatches set state = 'awaiting', workflow_run_id = ${workflowRunId}, workflow_run_attempt = null, snapshot =
     '{"value": "awaiting", "context": {"wave": 0, "part": 1, "refusals": 0, "workflow_run_id": ${workflowRunId}}}'
     where run_id = '${runId}'`,
  )

const evil = async (): Promise<string> => {
  const changes = { [runFile]: withWorkflow[runFile] ?? '', 'net/main.tf': 'resource "null_resource" "mine" {}\n' }
  return repository.push({ branch: 'mine', changes })
}

t.test('a workflow run that the service did not start is bound to none of its dispatches', async (t) => {
  const { applyId, played, run } = await dispatchedApply(world, [['net']])
  const { inputs } = run.now()
  const sha = await evil()
  const forgeries: [what: string, options: Parameters<typeof repository.runWorkflow>[1]][] = [
    ['started by hand', { by: 'mallory', inputs }],
    ['started by hand, of another commit', { by: 'mallory', inputs: { ...inputs, sha } }],
    ['started with the token of a job', { by: 'github-actions[bot]', inputs }],
    ['by an app, of another commit', { by: 'other[bot]', inputs: { ...inputs, sha } }],
    ['by an app, in another mode', { by: 'other[bot]', inputs: { ...inputs, mode: 'plan' } }],
    ['by an app, with the file of another branch', { by: 'other[bot]', ref: 'mine', inputs }],
  ]
  for (const [n, [what, options]] of forgeries.entries()) {
    const state = n % 2 === 0 ? 'awaiting' : 'lost'
    await unanswered(applyId, state)
    const forged = (await repository.runWorkflow('svc-run.yml', options)).play()
    await world.settled()
    t.same(await dispatchStates(world, applyId), [`0.1 ${state}`], `${what}: its webhook binds nothing`)
    const job = dispatchedJob(world, forged)
    const refused = { status: 403, body: { code: 'forbidden' } }
    t.match(await job.join(applyId, { stacks: ['net'] }), refused, what)
    t.match(await job.report(applyId, 'net'), refused, what)
    t.match(await job.ask(`/v1/runs/${applyId}`), refused, what)
    forged.complete('success')
    await world.settled()
    t.same(await dispatchStates(world, applyId), [`0.1 ${state}`], `${what}: its end ends nothing`)
  }
  await unanswered(applyId, 'awaiting')
  await query(world, `update dispatches set created_at = now() - interval '2 minutes' where run_id = '${applyId}'`)
  await addJobs(world.pool, [makeJob('reconcile', { what: 'runs' }, { cause: null })])
  await world.settled()
  t.match(await query(world, `select state, workflow_run_id from dispatches where run_id = '${applyId}'`), [
    { state: 'bound', workflow_run_id: run.id },
  ])
  t.match(await dispatchedJob(world, played).report(applyId, 'net'), { status: 200 })
  t.equal(await standing(world, applyId), 'applied: net applied')
})

t.test('of a dispatch that went out twice one workflow run has it: the end of the other ends nothing', async (t) => {
  const { applyId, played, run } = await dispatchedApply(world, [['twice']])
  const { inputs } = run.now()
  const job = dispatchedJob(world, played)
  t.match(await job.join(applyId, { stacks: ['twice'] }), { status: 200 })
  for (const state of ['bound', 'awaiting']) {
    if (state === 'awaiting') await announced(applyId, run.id)
    const other = (await repository.runWorkflow('svc-run.yml', { by: 'svc[bot]', inputs })).play()
    t.match(await dispatchedJob(world, other).join(applyId, { stacks: ['twice'] }), { status: 403 }, state)
    other.complete('failure')
    await world.settled()
    t.same(await dispatchStates(world, applyId), [`0.1 ${state}`])
    t.equal(
      await standing(world, applyId),
      'applying: twice applying',
      `it was not the one that was lost, while ${state}`,
    )
  }
  t.match(await job.report(applyId, 'twice'), { status: 200 })
  t.equal(await standing(world, applyId), 'applied: twice applied')
})

t.test('the other workflow run is refused also while another dispatch of the run waits for its own', async (t) => {
  const { applyId, played, run } = await dispatchedApply(world, [['first'], ['later']])
  const { inputs } = run.now()
  t.match(await dispatchedJob(world, played).report(applyId, 'first'), { status: 200 })
  await world.settled()
  await query(
    world,
    `update dispatches set state = 'awaiting', workflow_run_id = null, workflow_run_attempt = null,
     snapshot = '{"value": "awaiting", "context": {"wave": 1, "part": 1, "refusals": 0}}' where run_id = '${applyId}' and wave = 1`,
  )
  const job = dispatchedJob(world, (await repository.runWorkflow('svc-run.yml', { by: 'svc[bot]', inputs })).play())
  const refused = { status: 403, body: { code: 'forbidden' } }
  t.match(await job.join(applyId, { stacks: ['first'] }), refused)
  t.match(await job.report(applyId, 'first', { has_changes: false }), refused)
  t.match(await job.ask(`/v1/runs/${applyId}`), refused)
})

t.test('a dispatched workflow run may report, though another branch became the default meanwhile', async (t) => {
  const { applyId, played } = await dispatchedApply(world, [['here']])
  const job = dispatchedJob(world, played)
  t.match(await job.join(applyId, { stacks: ['here'] }), { status: 200 })
  await repository.setDefaultBranch('mine')
  await world.settled()
  t.match(await query(world, 'select default_branch from repositories'), [{ default_branch: 'mine' }])
  t.match(await job.report(applyId, 'here'), { status: 200 }, 'its workflow run is bound, and still uses the same file')
  t.equal(await standing(world, applyId), 'applied: here applied')
})

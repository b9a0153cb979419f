import t from 'tap'
import { startWorld } from '#test/helpers/world.ts'
import { comment, newestRun } from '#test/scenes/commenting.ts'
import { dispatched, dispatchedJob, withWorkflow } from '#test/scenes/dispatched.ts'
import { addKey, opened, send, stack } from '#test/scenes/scene.ts'

/*
 * A stack's row says under which environment its apply runs, in every plan of it (docs/interface.md, 'RunStack'); the jobs of plans
 * run under `default` all the same ('Runner token rules', 5).
 */

const world = await startWorld(t, { files: withWorkflow })
const key = await addKey(world)
world.repository.setPermission('rob', 'write')

const row = async (runId: string): Promise<object> => (await send(world, key, `/v1/runs/${runId}`)).body.stacks[0]

t.test('a stack that is planned again keeps its environment, and its job runs under default', async (t) => {
  const { pull, job, id } = await opened(world)
  const graph = { stacks: [stack('net', { environment: 'production' })] }
  await job.upload(id, { graph, stacks: ['net'] })
  await job.report(id, 'net')
  await world.settled()
  const { body } = await send(world, key, `/v1/runs/${id}/rerun`, '')
  t.match(await row(body.run_id), { key: 'net', environment: 'production' })
  const shown = await send(world, key, `/v1/repos/acme/infra/graph?run=${body.run_id}`)
  t.match(shown.body.affected, [{ key: 'net', environment: 'production' }])

  const run = await dispatched(world, body.run_id)
  t.match(JSON.parse(run.now().inputs.stacks ?? '').include, [{ key: 'net', environment: 'default' }])
  const played = run.play()
  const plan = { mode: 'plan', exit_code: 2 }
  const there = dispatchedJob(world, played, 'production')
  await there.join(body.run_id)
  t.match(await there.report(body.run_id, 'net', plan), { status: 403, body: { message: /run under default/ } })
  t.match(await dispatchedJob(world, played, 'default').report(body.run_id, 'net', plan), { status: 200 })
  played.complete('success')
  await world.settled()

  t.same((await comment(world, pull, 'svc plan')).reactions, ['eyes', 'rocket'])
  t.match(await row(await newestRun(world, pull, 'plan')), { key: 'net', environment: 'production' })
})

import t from 'tap'
import { until } from '#test/helpers/until.ts'
import { startWorld, type World } from '#test/helpers/world.ts'
import { dispatchedFor, dispatchedJob, withWorkflow } from '#test/scenes/dispatched.ts'
import { disagreements, planning, query } from '#test/scenes/scene.ts'

/* A wave has more stacks than a matrix may have jobs (256), and all its results come at about the same time. */

/** More than fit into one matrix. */
const count = 270
const keys = Array.from({ length: count }, (_, index) => `stacks/team-${index % 40}/service-${index}`)
const config = JSON.stringify({ version: 1, apply: { approvals: 0 } })

/** Works on some at once, as a crowd of jobs does. */
const inCrowds = async <T>(items: readonly T[], size: number, work: (item: T) => Promise<void>): Promise<void> => {
  let next = 0
  const go = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: size }, go))
}

const statusOf = async (world: World, runId: string): Promise<string> =>
  (await query(world, `select status from runs where id = '${runId}'`))[0]?.status

t.test('270 stacks of one wave go out in two dispatches, and all their results are taken', async (t) => {
  const world = await startWorld(t, { files: { ...withWorkflow, 'svc.yml': config } })
  world.repository.setPermission('rob', 'write')
  const { pull, job, id } = await planning(world, keys)
  await inCrowds(keys, 16, async (key) => void (await job.report(id, key)))
  pull.comment('svc apply', 'rob')
  const applyId = async () => (await query(world, `select id from runs where mode = 'apply'`))[0]?.id
  await until(async () => dispatchedFor(world, await applyId()).length === 2)
  const runs = dispatchedFor(world, await applyId())
  t.same(
    runs.map((run) => run.now().inputs.wave),
    ['0.1', '0.2'],
  )
  const jobs = runs.flatMap((run) => {
    const played = run.play()
    const { include } = JSON.parse(played.inputs.stacks ?? '{}') as { include: { key: string }[] }
    return include.map(({ key }) => ({ key, played }))
  })
  t.same(jobs.map(({ key }) => key).sort(), keys.toSorted(), 'each stack is in one of them')

  const runId = await applyId()
  const refused: unknown[] = []
  await inCrowds(jobs, 64, async ({ key, played }) => {
    const dispatched = dispatchedJob(world, played, 'default')
    const joined = await dispatched.join(runId, { stacks: [key] })
    const reported = await dispatched.report(runId, key)
    for (const { status, body } of [joined, reported]) if (status !== 200) refused.push({ key, status, body })
  })
  t.same(refused, [], 'no lock was waited for too long')
  t.equal(await statusOf(world, runId), 'applied')
  const held = await query(world, `select count(*)::int as locks from locks where state = 'held.changed'`)
  t.same(held, [{ locks: count }])
  t.same(await disagreements(world), [])
})

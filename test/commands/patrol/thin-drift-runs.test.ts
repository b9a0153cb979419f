import t from 'tap'
import { prune } from '#commands/patrol/prune.ts'
import { testLog as log } from '#test/helpers/instance.ts'
import { startWorld } from '#test/helpers/world.ts'
import { driftRun } from '#test/scenes/drifting.ts'
import { addKey, query, send } from '#test/scenes/scene.ts'

const hour = 3_600_000
const retention = { planText: 720 * hour, events: 168 * hour, drift: 2160 * hour }

t.test(
  'a day later, a check that found nothing is one row a stack and day; one that found drift is whole',
  async (t) => {
    const world = await startWorld(t)
    const key = await addKey(world)
    const runs: string[] = []
    for (const outcome of ['none', 'none', 'changes', 'failed', 'none'] as const)
      runs.push(await driftRun(world, 'app', outcome))
    await world.settled()
    const [first, , changed, failed, last] = runs
    const [stack] = await query(world, `select id from stacks where key = 'app'`)
    const read = async (path: string) => (await send(world, key, path)).body
    const lists = async () => ({
      checks: (await read(`/v1/stacks/${stack?.id}/drift`)).items,
      runs: (await read(`/v1/stacks/${stack?.id}/runs?mode=drift`)).items,
    })
    const of = (items: { run_id: string }[], ids: unknown[]) => items.filter(({ run_id }) => ids.includes(run_id))
    const [before, detail] = [await lists(), await read(`/v1/stacks/${stack?.id}`)]
    const whole = await read(`/v1/runs/${changed}`)
    const pruned = async (hours: number) => {
      const clock = { now: () => new Date(Date.now() + hours * hour) }
      while (await prune({ pool: world.pool, clock, log, retention, signal: new AbortController().signal }, 10_000));
    }

    await pruned(23)
    t.same(await lists(), before, 'not on the same day')
    await pruned(25)
    const kept = [changed, failed, last]
    t.same(await lists(), { checks: of(before.checks, kept), runs: of(before.runs, kept) })
    t.same(await read(`/v1/stacks/${stack?.id}`), detail)
    t.same(await read(`/v1/runs/${changed}`), whole)
    t.match(await read(`/v1/runs/${last}`), { status: 'planned', thinned: true, stacks: undefined, counts: {} })
    t.match(await read(`/v1/machines/run/${first}`), { kind: 'run', id: first }, 'its machine stays')
    const rows = async (table: string) =>
      (await query(world, `select distinct run_id from ${table} order by run_id`)).length
    t.same([await rows('run_stacks'), await rows('results'), await rows('journal')], [2, 2, 5])
    t.match(await read('/v1/repos/acme/infra/runs?mode=drift'), { items: { length: 5 } }, 'all runs are listed')

    await pruned(100 * 24)
    const newest = await lists()
    t.same(newest.checks, of(before.checks, [last]), 'the newest of each stack stays for good')
  },
)

import { systemClock } from '#clock.ts'
import type { Deps } from '#commands/deps.ts'
import { beginApply } from '#commands/runs/begin-apply.ts'
import { openStackLocks } from '#commands/runs/take-locks.ts'
import { transact } from '#db/transact.ts'
import type { Answer as Sent } from '#runtime/message.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { nudge } from '#test/helpers/nudge.ts'
import type { World } from '#test/helpers/world.ts'
import { planning, query } from './scene.ts'

const runtimeOf = ({ pool }: World) => createRuntime({ pool, clock: systemClock, onJobs: () => void nudge(pool) })

/** An apply of some stacks, begun as a command begins it once the gate allows it. */
export const beginApplyOf = async (
  world: World,
  apply: {
    pull?: { number: number; headSha(): string }
    waves: string[][]
    planRunId: string
    onMerge?: boolean
    environment?: string
    /** Seconds; if left out a day, as without a policy. */
    remindAfter?: number | undefined
  },
): Promise<string> => {
  const [plan] = await query(world, `select graph_id, sha from runs where id = '${apply.planRunId}'`)
  const deps = { runtime: runtimeOf(world), clock: systemClock, pool: world.pool } as unknown as Deps
  const trigger = apply.onMerge ? 'push' : apply.pull ? 'comment' : 'manual'
  const who = { actor: 'ada' }
  const repoId = world.repository.id
  const id = await transact(world.pool, async (tx) =>
    beginApply(deps, tx, {
      ...{ repoId, who },
      stackIds: await openStackLocks(deps.runtime, tx, { repoId, keys: apply.waves.flat(), who }),
      prNumber: apply.pull?.number,
      sha: plan?.sha,
      baseSha: null,
      trigger,
      requestedBy: 'ada',
      graphId: plan?.graph_id,
      stacks: apply.waves.flatMap((keys, wave) =>
        keys.map((key) => ({
          ...{ key, path: key, wave, reasons: ['changed'], tool: 'terraform' },
          ...{ plan_run_id: apply.planRunId, environment: apply.environment },
        })),
      ),
      remindAfter: apply.remindAfter ?? 86_400,
    }),
  )
  await nudge(world.pool)
  return id
}

/** A planned pull request that applies these stacks in waves. */
export const applying = async (world: World, waves: string[][], edges: object[] = [], remindAfter?: number) => {
  const planned = await planning(world, waves.flat(), edges)
  for (const key of waves.flat()) await planned.job.report(planned.id, key)
  const applyId = await beginApplyOf(world, { pull: planned.pull, waves, planRunId: planned.id, remindAfter })
  return { ...planned, applyId }
}

type Outcome = 'changes' | 'none' | 'failed' | 'unconfirmed'

/** A job's report of a stack's apply. */
export const report = (world: World, runId: string, key: string, outcome: Outcome = 'changes'): Promise<Sent> =>
  runtimeOf(world).send({
    to: { kind: 'stack', runId, key },
    event: { type: 'result.reported', outcome, digest: `${key} ${outcome}` },
    actor: 'runner',
    document: () => ({
      body: {
        mode: 'apply',
        status: outcome === 'failed' ? 'failure' : 'success',
        exit_code: outcome === 'failed' ? 1 : 0,
      },
      plan_text: null,
    }),
  })

/** The stack's job is lost: no report will come. */
export const lose = (world: World, runId: string, key: string): Promise<Sent> =>
  runtimeOf(world).send({
    to: { kind: 'stack', runId, key },
    event: { type: 'runner.lost', reason: 'workflow_finished' },
    actor: 'system',
  })

/** State of the lock of each stack that was ever locked, by key. */
export const lockStates = async (world: World, keys: string[]): Promise<Record<string, string>> => {
  const list = keys.map((key) => `'${key}'`).join(', ')
  const rows = await query(
    world,
    `select s.key, l.state from locks l join stacks s on s.id = l.stack_id where s.key in (${list}) order by s.key`,
  )
  return Object.fromEntries(rows.map((row) => [row.key, row.state]))
}

type Entry = { actor: string; target: string; details: Record<string, unknown> }

export const auditOf = async (world: World, action: string): Promise<Entry[]> => [
  ...((await query(
    world,
    `select actor, target, details from audit where action = '${action}' order by id`,
  )) as readonly Entry[]),
]

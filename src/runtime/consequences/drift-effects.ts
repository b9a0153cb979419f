import { type DriftCheck, type NotedCheck, noteDriftChecks } from '#db/drift/drift-checks.ts'
import { takeWarnedStacks } from '#db/machines/runs.ts'
import { driftOvertaken } from '#domain/texts/warnings.ts'
import { makeJob } from '#jobs/job.ts'
import { statusOf } from '#machines/index.ts'
import type { Actor } from '../actor.ts'
import type { Writes } from '../draft.ts'
import type { Stage } from '../stage.ts'

/** Notes what drift runs found, before the other writes: the consequences are written with those. */
export const noteDrift = async (stage: Stage, writes: Writes, dirty: readonly Actor[]): Promise<void> => {
  const checks = dirty.flatMap((actor) => driftCheck(stage, actor))
  if (checks.length === 0) return
  const noted = await noteDriftChecks(stage.tx, checks)
  const telling = noted.filter(({ tells }) => tells)
  const jobs = telling.map(({ stack_id, installation_id: installationId }) =>
    makeJob('drift_stack', { stack_id }, { installationId, cause: null }),
  )
  writes.jobs.push(...jobs)
  writes.warnings.push(...(await overtakenWarnings(stage, noted)))
}

/**
 * A drift run uses the outcomes of plans: planned means drifted. A plan that failed, is unconfirmed, or whose end was not seen
 * is inconclusive. A late result counts as a check at the time it came.
 */
const driftCheck = (stage: Stage, actor: Actor): DriftCheck[] => {
  if (actor.kind !== 'stack' || actor.finishedAt === null) return []
  if (actor.snapshot.context.mode !== 'drift') return []
  const status = statusOf(actor.snapshot)
  if (status === 'superseded') return []
  const drifted = status === 'planned' ? true : status === 'noop' ? false : null
  return [{ run_id: actor.row.run_id, stack_id: actor.row.stack_id, drifted, checked_at: stage.at }]
}

/**
 * A check of hundreds of stacks ends result by result: the run's one warning is rewritten with all stacks, instead of one
 * warning for each.
 */
const overtakenWarnings = async (stage: Stage, noted: readonly NotedCheck[]): Promise<Writes['warnings']> => {
  const overtaken = Map.groupBy(
    noted.filter((check) => check.overtaken),
    (check) => check.run_id,
  )
  const warnings: Writes['warnings'] = []
  for (const [runId, checks] of overtaken) {
    const earlier = await takeWarnedStacks(stage.tx, runId, 'drift_overtaken')
    const stacks = new Set([...earlier, ...checks.map(({ key }) => key)])
    const warning = driftOvertaken([...stacks].sort())
    warnings.push({ runId, warning: { ...warning, at: stage.at.toISOString() } })
  }
  return warnings
}

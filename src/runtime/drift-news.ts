import { type DriftCheck, type NotedCheck, noteDriftChecks } from '#db/drift-checks.ts'
import { driftStackJob } from '#db/drift-issues.ts'
import { takeWarnedStacks } from '#db/runs.ts'
import { driftOvertaken } from '#domain/warnings.ts'
import { statusOf } from '#machines/index.ts'
import type { Actor } from './actor.ts'
import type { Writes } from './draft.ts'
import type { Stage } from './stage.ts'

/** Notes what drift runs found, before the rest is written: what follows from it goes with that. */
export const noteDrift = async (stage: Stage, writes: Writes, dirty: readonly Actor[]): Promise<void> => {
  const checks = dirty.flatMap((actor) => driftCheck(stage, actor))
  if (checks.length === 0) return
  const noted = await noteDriftChecks(stage.tx, checks)
  const telling = noted.filter(({ tells }) => tells)
  writes.jobs.push(...telling.map((check) => driftStackJob(check.stack_id, check.installation_id)))
  writes.warnings.push(...(await overtakenWarnings(stage, noted)))
}

/**
 * A drift run uses the outcomes of plans: planned means drifted. One that failed, that nobody saw the end of, or that is
 * unconfirmed says nothing of the stack. A late result counts as a check of the time at which it came.
 */
const driftCheck = (stage: Stage, actor: Actor): DriftCheck[] => {
  if (actor.kind !== 'stack' || actor.finishedAt === null) return []
  if (actor.snapshot.context.mode !== 'drift') return []
  const status = statusOf(actor.snapshot)
  if (status === 'superseded') return []
  const drifted = status === 'planned' ? true : status === 'noop' ? false : null
  return [{ runId: actor.row.run_id, stackId: actor.row.stack_id, drifted, at: stage.at }]
}

/** A check of hundreds ends result by result: the run's warning is written anew with all stacks, and not one for each. */
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

import { z } from 'zod'
import { Summary } from '#domain/plan-summary.ts'
import { type Reader, sql } from '../../sql.ts'
import { ofRuns } from '../../tenant.ts'

/** A stack as a run planned it. */
type Planned = { run_id: string; stack_id: string }

/** Anything may have been reported before the shape was checked; what cannot be read is not known. */
const Row = z.object({ run_id: z.string(), stack_id: z.string(), summary: Summary.nullable().catch(null) })

/** What plans do, by run and stack; a plan without a summary is left out. */
export const summariesOfPlans = async (
  db: Reader,
  stacks: readonly Planned[],
): Promise<(stack: Planned) => Summary | undefined> => {
  const runIds = [...new Set(stacks.map(({ run_id: id }) => id))]
  const rows = await db.any(sql.type(Row)`
    select run_id, stack_id, body->'summary' as summary from results
    where installation_id ${ofRuns(db, runIds)} and run_id = any(${sql.array(runIds, 'uuid')})`)
  const known = new Map(runIds.map((id) => [id, new Map<string, Summary | null>()]))
  for (const { run_id: runId, stack_id: stackId, summary } of rows) known.get(runId)?.set(stackId, summary)
  return ({ run_id: runId, stack_id: stackId }) => known.get(runId)?.get(stackId) ?? undefined
}

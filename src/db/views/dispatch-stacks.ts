import { z } from 'zod'
import type { DispatchStack } from '#domain/dispatch/dispatch-inputs.ts'
import { underWayStatuses } from '#domain/run-status.ts'
import { runStackPath } from '../machines/run-stack-path.ts'
import { type FragmentSqlToken, literals, type Reader, sql } from '../sql.ts'
import { ofRun } from '../tenant.ts'

const Row = z.object({
  stack_id: z.string(),
  key: z.string(),
  path: z.string(),
  environment: z.string().nullable(),
  instance: z.string().nullable(),
  workspace: z.string().nullable(),
  runs_on: z.array(z.string()).nullable(),
  tool: z.string().nullable(),
  tool_version: z.string().nullable(),
  plan_output: z.enum(['full', 'summary']),
  artifact: z.string().nullable(),
  artifact_run: z.number().nullable(),
  planned_wave: z.number().nullable(),
})

export type DispatchStackRow = DispatchStack & { stack_id: string }

/*
 * The saved plan is from the plan run that this row uses. The service itself notes `workflow_run_id` beside the result, from
 * the token that reported it.
 */
const stacks = (db: Reader, runId: string, which: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  select s.stack_id, s.key, ${runStackPath(sql.fragment`s`)}, s.environment, s.instance, s.workspace, s.runs_on, s.tool, s.tool_version, s.plan_output,
    p.body->>'plan_artifact' as artifact, (p.body->>'workflow_run_id')::int8 as artifact_run,
    o.wave as planned_wave
  from run_stacks s left join results p on p.installation_id = s.installation_id and p.run_id = s.plan_run_id and p.stack_id = s.stack_id
    left join run_stacks o on o.installation_id = s.installation_id and o.run_id = s.plan_run_id and o.stack_id = s.stack_id
  where s.installation_id = ${ofRun(db, runId)} and s.run_id = ${runId} and ${which}
  order by s.wave, s.key`

/** The stacks of a run that have started and wait for their jobs, of one wave or of all: those of a wave that a window holds have not. */
export const startedStacksOf = (
  db: Reader,
  runId: string,
  wave: number | undefined,
): Promise<readonly DispatchStackRow[]> =>
  db.any(sql.type(Row)`
    ${stacks(
      db,
      runId,
      sql.fragment`s.status in ${literals(underWayStatuses)}
        and (${wave ?? null}::int4 is null or s.wave = ${wave ?? null}::int4)`,
    )}`)

/** The stacks of a dispatch, whatever became of them: what it was sent with, however often it is sent. */
export const stacksOfDispatch = (
  db: Reader,
  dispatch: { run_id: string; stack_ids: string[] },
): Promise<readonly DispatchStackRow[]> =>
  db.any(sql.type(Row)`
    ${stacks(db, dispatch.run_id, sql.fragment`s.stack_id = any(${sql.array(dispatch.stack_ids, 'uuid')})`)}`)

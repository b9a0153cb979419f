import { z } from 'zod'
import { runStatuses } from '#domain/run-status.ts'
import { optional } from '../optional.ts'
import { Count, Mode, Timestamp, Trigger, Uuid } from '../scalars.ts'
import { RunStack } from './run-stack.ts'
import { Attention, StackCounts, Totals, WaveStanding } from './standing.ts'
import { Warning } from './warning.ts'

export const RunStatus = z.enum(runStatuses).meta({ id: 'RunStatus' })

export const Run = z
  .object({
    id: Uuid,
    repo: z.string().describe('owner/name'),
    sha: z.string(),
    base_sha: z.string().optional(),
    pr_number: z.int().optional(),
    merge_group: z
      .object({ pr_number: z.int().describe('The last pull request of the group'), base_ref: z.string() })
      .optional()
      .describe('Of the plan of what a merge queue is about to merge'),
    trigger: Trigger,
    mode: Mode,
    status: RunStatus,
    requested_by: z.string().optional(),
    created_at: Timestamp,
    started_at: Timestamp.optional(),
    finished_at: Timestamp.optional(),
    waves: Count.describe('Number of waves'),
    current_wave: Count,
    stacks: z
      .array(RunStack)
      .optional()
      .describe('Only in answers about a single run; absent if the run has none, or none that changed after `since`'),
    html_url: z.string().describe('Page of the run'),
    warnings: z.array(Warning).optional(),
    commit_url: z.string().optional().describe('The commit at the code host'),
    pr_url: z.string().optional().describe('The pull request at the code host'),
    pr_title: z.string().optional(),
    rerun_of: Uuid.optional().describe('The run whose stacks are planned again'),
    rev: Count.optional().describe('Raised by every change; only in answers about a single run, like all below'),
    archived: z
      .literal(true)
      .optional()
      .describe('The rows of the run are in the artifact bucket: the first answer takes longer'),
    thinned: z
      .literal(true)
      .optional()
      .describe('A check for drift that found nothing, more than a day ago: its rows are not kept'),
    since: Count.optional().describe('`stacks` has only the rows that changed after this rev; without it, all rows'),
    plan_run_id: Uuid.optional().describe('The newest plan run that the apply goes by'),
    superseded_by: z
      .object({ sha: z.string(), run_id: Uuid.optional() })
      .optional()
      .describe('The newer commit, and its run once there is one'),
    counts: StackCounts.optional().describe('Also of the runs under way in the overview, like `by_wave`'),
    by_wave: z.array(WaveStanding).optional(),
    totals: Totals.optional(),
    next: z.string().optional().describe('What a person does next, in the words of the comment'),
    attention: z.array(Attention).optional(),
  })
  .meta({ id: 'Run', description: 'A plan, apply or drift run over stacks of one commit' })

/** How much of a single run to answer. */
export const RunQuery = z.object({
  text: optional(z.literal('none')).describe('`none`: without plan and error texts'),
  since: optional(
    z
      .string()
      .regex(/^\d{1,9}$/, 'must be the rev of an earlier answer')
      .transform(Number),
  ).describe('The rev of an earlier answer: only the rows that changed after it'),
})

export type Run = z.infer<typeof Run>
export type RunStatus = z.infer<typeof RunStatus>

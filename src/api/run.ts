import { z } from 'zod'
import { runStatuses } from '#domain/run-status.ts'
import { RunStack } from './run-stack.ts'
import { Count, Mode, Timestamp, Trigger, Uuid } from './scalars.ts'
import { Warning } from './warning.ts'

export const RunStatus = z.enum(runStatuses).meta({ id: 'RunStatus' })

export const Run = z
  .object({
    id: Uuid,
    repo: z.string().describe('owner/name'),
    sha: z.string(),
    base_sha: z.string().optional(),
    pr_number: z.int().optional(),
    trigger: Trigger,
    mode: Mode,
    status: RunStatus,
    requested_by: z.string().optional(),
    created_at: Timestamp,
    started_at: Timestamp.optional(),
    finished_at: Timestamp.optional(),
    waves: Count.describe('Number of waves'),
    current_wave: Count,
    stacks: z.array(RunStack).optional().describe('Only where one run is read'),
    html_url: z.string().describe('Page of the run'),
    warnings: z.array(Warning).optional(),
  })
  .meta({ id: 'Run', description: 'A plan, apply or drift run over stacks of one commit' })

export type Run = z.infer<typeof Run>

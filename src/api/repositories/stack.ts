import { z } from 'zod'
import { StackStatus } from '#api/runs/run-stack.ts'
import { Backend } from '#domain/graph/graph.ts'
import { LockInfo } from '../lock-summary.ts'
import { Mode, Timestamp, Tool, Uuid } from '../scalars.ts'
import { Summary } from '../summary.ts'
import { UsedModule } from './module.ts'

/** What a run did with a stack. */
export const RunStackRef = z
  .object({
    run_id: Uuid,
    sha: z.string(),
    pr_number: z.int().optional(),
    mode: Mode.optional(),
    status: StackStatus,
    summary: Summary.optional(),
    started_at: Timestamp.optional(),
    finished_at: Timestamp.optional(),
    job_url: z.string().optional(),
  })
  .meta({ id: 'RunStackRef', description: 'What a run did with a stack' })

export type RunStackRef = z.infer<typeof RunStackRef>

const Drift = z.object({
  run_id: Uuid.describe('Of the check'),
  checked_at: Timestamp,
  drifted: z.boolean(),
  drifted_since: Timestamp.optional().describe('When drifted: the first check in a row that found it so'),
  summary: Summary.optional().describe('Of the plan, when drifted'),
  issue_number: z
    .int()
    .optional()
    .describe('Of the issue about it, when drifted and issues are configured (drift.issues)'),
  issue_url: z.string().optional(),
})

/** A check of a stack for drift. */
export const DriftCheck = z
  .object({
    run_id: Uuid,
    checked_at: Timestamp,
    drifted: z
      .boolean()
      .optional()
      .describe('Absent if the check found out nothing: it failed, or its end was not seen'),
    status: StackStatus.describe('Of the stack in the drift run: `planned` if it drifted, `noop` if it did not'),
    summary: Summary.optional().describe('Of the plan, when drifted'),
    job_url: z.string().optional(),
  })
  .meta({ id: 'DriftCheck', description: 'What a check for drift found of a stack' })

export type DriftCheck = z.infer<typeof DriftCheck>

const Neighbour = z
  .object({
    id: Uuid,
    repo: z.string().describe('owner/name'),
    key: z.string(),
    relation: z.enum(['dependency', 'dependent']),
  })
  .meta({
    id: 'Neighbour',
    description: 'A stack that another depends on or reads the state of, or one that does so with it',
  })

/** A stack in its current state. */
export const StackDetail = z
  .object({
    id: Uuid,
    repo: z.string().describe('owner/name'),
    key: z.string(),
    path: z.string(),
    instance: z.string().optional(),
    workspace: z.string().optional(),
    environment: z.string().optional(),
    backend: Backend.optional(),
    tool: Tool.optional(),
    tags: z.array(z.string()).optional().describe('By the default branch, sorted'),
    status: StackStatus.optional().describe('In the newest run that it is in'),
    last_plan: RunStackRef.optional().describe('The newest plan that finished'),
    last_apply: RunStackRef.optional().describe('The newest apply that finished'),
    drift: Drift.optional().describe('By the newest check that found out anything'),
    lock: LockInfo.optional(),
    dependents: z.array(z.string()).optional().describe('Keys of stacks that depend on it, or read its state'),
    dependencies: z.array(z.string()).optional().describe('Keys of stacks that it depends on, or whose state it reads'),
    neighbours: z
      .array(Neighbour)
      .optional()
      .describe('Only of a single stack: both by the default branches, of every repository that the caller sees'),
    modules: z.array(UsedModule).optional().describe('Directly or through other modules'),
  })
  .meta({ id: 'StackDetail', description: 'A stack, its latest runs, and what it depends on and is used by' })

export type StackDetail = z.infer<typeof StackDetail>

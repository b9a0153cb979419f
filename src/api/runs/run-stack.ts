import { z } from 'zod'
import { lostReasons } from '#domain/lost-reason.ts'
import { reasons } from '#domain/resolution/reasons.ts'
import { stackStatuses } from '#domain/run-status.ts'
import { Count, PlanOutput, Timestamp, Uuid } from '../scalars.ts'
import { Summary } from '../summary.ts'
import { Check } from './check.ts'
import { RunStackLock } from './run-stack-lock.ts'

export const Reason = z.enum(reasons).meta({ id: 'Reason', description: 'Why a stack is affected' })

export const StackStatus = z.enum(stackStatuses).meta({ id: 'StackStatus' })

/** A stack's row in a run. */
export const RunStack = z
  .object({
    stack_id: Uuid,
    key: z.string(),
    path: z.string(),
    instance: z.string().optional(),
    workspace: z.string().optional().describe('Only when the stack selects one'),
    environment: z.string().optional().describe('Environment the apply runs under'),
    wave: Count,
    status: StackStatus,
    reasons: z.array(Reason).optional(),
    via: z.array(z.string()).optional().describe('Keys of the stacks and modules that it is affected through'),
    summary: Summary.optional(),
    exit_code: z.int().optional().describe('Of the tool; 2 means a plan with changes'),
    job_url: z.string().optional(),
    plan_artifact: z.string().optional(),
    plan_text: z.string().optional().describe('Only the first 8 KB when plan_url is set'),
    plan_url: z.string().optional().describe('Where the full plan text is'),
    plan_bytes: Count.optional().describe('Of the full plan text, also where it was removed since'),
    plan_output: PlanOutput.optional(),
    truncated: z.boolean().optional(),
    error_text: z.string().optional().describe('What the client reported besides the plan'),
    checks: z.array(Check).optional(),
    blocked_by: z.array(z.string()).optional().describe('Failed predecessors of a blocked stack'),
    unknown_reason: z.enum(lostReasons).optional().describe('Why nobody saw the end of an unknown stack'),
    plan_run_id: Uuid.optional().describe('The plan run that the apply goes by'),
    dispatch_id: Uuid.optional().describe('The last dispatch that was to run it'),
    lock: RunStackLock.optional(),
    started_at: Timestamp.optional(),
    finished_at: Timestamp.optional(),
  })
  .meta({ id: 'RunStack', description: "A stack's row in a run" })

export type RunStack = z.infer<typeof RunStack>
export type StackStatus = z.infer<typeof StackStatus>

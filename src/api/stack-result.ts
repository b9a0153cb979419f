import { z } from 'zod'
import { Backend } from '#domain/graph.ts'
import { optional, withoutEmptyFields } from './optional.ts'
import { Count, Mode, Tool } from './scalars.ts'
import { Summary } from './summary.ts'

/** What a job reports of one stack of a run. */
export const StackResult = z
  .object({
    mode: Mode.describe("Must be the run's mode"),
    status: z
      .enum(['success', 'failure', 'error'])
      .describe('failure: the tool or a hook failed, or the client refused; error: the client itself failed'),
    exit_code: optional(z.int()).describe('Of the tool; 2 means a plan with changes'),
    has_changes: optional(z.boolean()),
    summary: optional(withoutEmptyFields(Summary)),
    plan_text: optional(z.string()).describe('Up to 256 KB, sensitive values masked'),
    plan_artifact: optional(z.string()).describe('Artifact name of the saved plan'),
    job_url: optional(z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })),
    tool: optional(Tool),
    tool_version: optional(z.string()),
    duration_ms: optional(Count),
    backend: optional(withoutEmptyFields(Backend)),
    truncated: optional(z.boolean()).describe('The plan text was cut at 256 KB'),
    error_text: optional(z.string()),
    unconfirmed: optional(z.boolean()).describe(
      'Record the stack as unconfirmed: the client could not reach the service',
    ),
  })
  .meta({ id: 'StackResult', description: 'Result of a plan, apply or drift check of one stack' })

export type StackResult = z.infer<typeof StackResult>

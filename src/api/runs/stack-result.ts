import { z } from 'zod'
import { StackResult as Result } from '#domain/result.ts'
import { optional, withoutEmptyFields } from '../optional.ts'
import { Mode, Tool } from '../scalars.ts'
import { Summary } from '../summary.ts'

const { shape } = Result

/** A result in a request's spelling: null and empty fields are left out, and addresses must be safe for a browser to open. */
export const StackResult = z
  .object({
    mode: Mode.describe("Must be the run's mode"),
    status: shape.status.describe(
      'failure: the tool or a hook failed, or the client refused; error: the client itself failed',
    ),
    exit_code: optional(shape.exit_code).describe('Of the tool; 2 means a plan with changes'),
    has_changes: optional(shape.has_changes),
    summary: optional(withoutEmptyFields(Summary)),
    plan_text: optional(shape.plan_text).describe('Up to 256 KB, sensitive values masked'),
    plan_artifact: optional(shape.plan_artifact).describe('Artifact name of the saved plan'),
    job_url: optional(z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })),
    tool: optional(Tool),
    tool_version: optional(shape.tool_version),
    duration_ms: optional(shape.duration_ms),
    backend: optional(withoutEmptyFields(shape.backend.unwrap())),
    truncated: optional(shape.truncated).describe('The plan text was cut at 256 KB'),
    error_text: optional(shape.error_text),
    unconfirmed: optional(shape.unconfirmed).describe(
      'Record the stack as unconfirmed: the client could not reach the service',
    ),
  } satisfies Record<keyof Result, z.ZodType>)
  .meta({ id: 'StackResult', description: 'Result of a plan, apply or drift check of one stack' })

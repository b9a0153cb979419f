import { z } from 'zod'
import { limits } from '#domain/limits.ts'
import { StackResult as Result } from '#domain/result.ts'
import { addresses, cutText, webAddress } from '../cut.ts'
import { optional, withoutEmptyFields } from '../optional.ts'
import { Mode, Tool } from '../scalars.ts'
import { Summary } from '../summary.ts'

const cut = `the first ${limits.addresses} are kept, and ${limits.addressChars.toLocaleString('en')} characters of each`

const { shape } = Result

const { added, changed, destroyed, replaced } = Summary.shape

/** The counts are exact, the lists may be cut. */
const ReportedSummary = Summary.extend({
  added: addresses().describe(`${added.description}; ${cut}`),
  changed: addresses().describe(`${changed.description}; ${cut}`),
  destroyed: addresses().describe(`${destroyed.description}; ${cut}`),
  replaced: addresses().describe(`${replaced.description}; ${cut}`),
}).meta({ id: 'ReportedSummary', description: 'Counts and addresses of changes' })

/** A result in a request's spelling: null and empty fields are left out, and addresses must be safe for a browser to open. */
export const StackResult = z
  .object({
    mode: Mode.describe("Must be the run's mode"),
    status: shape.status.describe(
      'failure: the tool or a hook failed, or the client refused; error: the client itself failed',
    ),
    exit_code: optional(shape.exit_code).describe('Of the tool; 2 means a plan with changes'),
    has_changes: optional(shape.has_changes),
    summary: optional(withoutEmptyFields(ReportedSummary)),
    plan_text: optional(shape.plan_text).describe('Up to 256 KB, sensitive values masked'),
    plan_artifact: optional(z.string().max(limits.artifactNameChars)).describe('Artifact name of the saved plan'),
    job_url: webAddress().describe('Left out where it has more than 2,048 characters'),
    tool: optional(Tool),
    tool_version: optional(cutText(limits.toolVersionChars)),
    duration_ms: optional(shape.duration_ms),
    backend: optional(withoutEmptyFields(shape.backend.unwrap())),
    truncated: optional(shape.truncated).describe('The plan text was cut at 256 KB'),
    error_text: optional(cutText(limits.errorTextBytes)).describe('What went wrong; cut at 64 KB'),
    unconfirmed: optional(shape.unconfirmed).describe(
      'Record the stack as unconfirmed: the client could not reach the service',
    ),
  } satisfies Record<keyof Result, z.ZodType>)
  .meta({ id: 'StackResult', description: 'Result of a plan, apply or drift check of one stack' })

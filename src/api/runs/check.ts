import { z } from 'zod'
import { isCheckName } from '#domain/keys.ts'
import { optional } from '../optional.ts'
import { Timestamp } from '../scalars.ts'

const CheckStatus = z.enum(['pass', 'fail', 'warn'])

export const CheckName = z
  .string()
  .refine(isCheckName, 'must be up to 64 letters, digits, -, _ and ., and not resolve, plan or apply')

/** A verdict to record on a stack of a run. */
export const CheckVerdict = z
  .object({
    status: CheckStatus.describe('pass and warn let an apply pass, fail refuses it'),
    summary: optional(z.string()).describe('One line'),
    details: optional(z.string()).describe('Markdown, shown in the check run'),
    details_url: optional(z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })),
  })
  .meta({ id: 'CheckVerdict', description: 'Verdict of a named check on a stack' })

export const Check = z
  .object({
    name: z.string(),
    status: CheckStatus,
    summary: z.string().optional(),
    details_url: z.string().optional(),
    updated_at: Timestamp,
  })
  .meta({ id: 'Check', description: 'A named check of a stack' })

export type CheckVerdict = z.infer<typeof CheckVerdict>
export type Check = z.infer<typeof Check>

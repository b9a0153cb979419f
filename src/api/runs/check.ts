import { z } from 'zod'
import { isCheckName } from '#domain/keys.ts'
import { limits } from '#domain/limits.ts'
import { cutText, webAddress } from '../cut.ts'
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
    summary: optional(cutText(limits.checkSummaryBytes)).describe('One line; cut at 4 KB'),
    details: optional(cutText(limits.checkDetailsBytes)).describe(
      'Shown in the check run as it is written; cut at 64 KB',
    ),
    details_url: webAddress().describe('Left out where it has more than 2,048 characters'),
  })
  .meta({ id: 'CheckVerdict', description: 'Verdict of a named check on a stack' })

export const Check = z
  .object({
    name: z.string(),
    status: CheckStatus,
    summary: z.string().optional(),
    details_url: z.string().optional(),
    updated_at: Timestamp,
    waived_by: z.string().optional().describe('Whose approval let an apply past a failed verdict'),
  })
  .meta({ id: 'Check', description: 'A named check of a stack' })

export type CheckVerdict = z.infer<typeof CheckVerdict>
export type Check = z.infer<typeof Check>

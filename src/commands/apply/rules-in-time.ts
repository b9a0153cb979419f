import type { ParsedConfig } from '#domain/config/config-file.ts'
import { type Taken, TooManyDemands, takeRules } from '#domain/gate/rules/take-rules.ts'
import { limits } from '#domain/limits.ts'
import { inSteps, TooSlow } from '#portions.ts'

const tooSlow = `takes more than ${limits.resolveSeconds} s to match against the stacks of the plan and what they change: use fewer globs, or simpler ones`

const tooMany =
  'has rules that the stacks of the plan take in too many combinations: let more stacks take the same rules'

const unusable = (message: string): ParsedConfig => ({ ok: false, problems: [{ key: '', message }] })

/**
 * The rules that the stacks of an apply take, with turns for others, and the policy. One that takes longer than an upload may is as good
 * as one that cannot be read: 200 rules of 50 globs may be asked of a million addresses.
 */
export const rulesInTime = async (
  asked: Parameters<typeof takeRules>[0],
): Promise<{ policy: ParsedConfig; taken: Taken | undefined }> => {
  try {
    const taken = await inSteps(takeRules(asked), limits.resolveSeconds * 1000)
    return { policy: asked.policy, taken }
  } catch (error) {
    if (error instanceof TooSlow) return { policy: unusable(tooSlow), taken: undefined }
    if (error instanceof TooManyDemands) return { policy: unusable(tooMany), taken: undefined }
    throw error
  }
}

import type { ApplyPolicy, PullFacts } from './facts.ts'
import type { Taken } from './rules/take-rules.ts'
import type { Finding } from './verdict.ts'

/** How a layer judges. Policy and rules are absent if the default branch's file is invalid. */
export type Judge = (facts: PullFacts, policy: ApplyPolicy | undefined, taken: Taken | undefined) => Finding

import { noPolicy } from './config.ts'
import type { Judge, PullFact } from './facts.ts'
import { type Objection, off, pass, unknown } from './verdict.ts'

/** No policy opens this one: a lock given to a pull request that is closed would be given back by nobody. */
const closed = ({ state, merged }: PullFact): Objection[] =>
  state === 'open'
    ? []
    : [
        {
          verdict: 'fail',
          name: merged ? 'merged' : 'closed',
          what: `The pull request is ${merged ? 'merged already' : 'closed'}`,
          next: merged ? 'Open another pull request for what is still to be applied' : 'Reopen it, then ask again',
        },
      ]

/*
 * `blocked` passes: where svc/apply is a required check, the state stays blocked until the apply has run. What a branch
 * protection asks, approvals and code owners and checks, other layers ask. `unstable` passes likewise: it is said of any
 * check run that is not green, our own included.
 */
const hindrances = ({ state: pullState, draft, mergeable, mergeableState }: PullFact): Objection[] => {
  const state = mergeableState.toLowerCase()
  const found: Objection[] = []
  if (draft || state === 'draft')
    found.push({
      verdict: 'fail',
      name: 'draft',
      what: 'The pull request is a draft',
      next: 'Mark it as ready for review',
    })
  if (state === 'behind')
    found.push({
      verdict: 'fail',
      name: 'behind',
      what: 'The branch is behind its base, which has to be in it first',
      next: 'Update the branch, then read the new plan',
    })
  if (mergeable === false || state === 'dirty')
    found.push({
      verdict: 'fail',
      name: 'conflict',
      what: 'The pull request conflicts with its base',
      next: 'Resolve the conflicts and push',
    })
  // of one that is closed the code host works nothing out
  else if (mergeable === null && pullState === 'open')
    found.push({
      verdict: 'pending',
      name: 'not_known',
      what: 'Whether the pull request can be merged is not known yet: the code host is still working it out',
      next: 'Ask again in a minute',
    })
  return found
}

/** The pull request is open and, where the policy asks for it, could be merged but for what other layers judge. */
export const judgeMergeable: Judge = (facts, policy) => {
  const { pull } = facts
  const evidence = [
    { holds: pull.mergeable === true, text: `mergeable: ${pull.mergeable}, state ${pull.mergeableState}` },
  ]
  const never = closed(pull)
  if (policy === undefined) return unknown(noPolicy, evidence, never)
  if (!policy.mergeable && never.length === 0) return off('Mergeability is not asked for (apply.mergeable: false)')
  return pass('The pull request can be merged', evidence, [...never, ...(policy.mergeable ? hindrances(pull) : [])])
}

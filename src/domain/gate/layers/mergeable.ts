import type { PullFact } from '../facts.ts'
import type { Judge } from '../judge.ts'
import { type Objection, off, unknown, unlessObjected } from '../verdict.ts'
import { noPolicy } from './config.ts'

/** No policy waives this: nothing would release a lock that a closed pull request took. */
const closed = ({ state, merged }: PullFact): Objection[] =>
  state === 'open'
    ? []
    : [
        {
          verdict: 'fail',
          name: merged ? 'merged' : 'closed',
          what: `The pull request is ${merged ? 'already merged' : 'closed'}`,
          next: merged ? 'Open another pull request for what is still to be applied' : 'Reopen it, then ask again',
        },
      ]

/*
 * `blocked` passes: where svc/apply is a required check, the state stays blocked until the apply has run. Other layers check
 * what a branch protection asks for: approvals, code owners and checks. `unstable` passes likewise: any check run that is not
 * green causes it, our own included.
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
      what: 'The branch is behind its base and has to contain it first',
      next: 'Update the branch, then read the new plan',
    })
  if (mergeable === false || state === 'dirty')
    found.push({
      verdict: 'fail',
      name: 'conflict',
      what: 'The pull request conflicts with its base',
      next: 'Resolve the conflicts and push',
    })
  // the code host does not compute it for a closed pull request
  else if (mergeable === null && pullState === 'open')
    found.push({
      verdict: 'pending',
      name: 'not_known',
      what: 'Whether the pull request can be merged is not known yet: the code host is still computing it',
      next: 'Ask again in a minute',
    })
  return found
}

/** The pull request is open and, if the policy requires it, could be merged but for what other layers judge. */
export const judgeMergeable: Judge = (facts, policy) => {
  const { pull } = facts
  const evidence = [
    { holds: pull.mergeable === true, text: `mergeable: ${pull.mergeable}, state ${pull.mergeableState}` },
  ]
  const never = closed(pull)
  if (policy === undefined) return unknown(noPolicy, evidence, never)
  if (!policy.mergeable && never.length === 0) return off('Mergeability is not required (apply.mergeable: false)')
  return unlessObjected('The pull request can be merged', evidence, [
    ...never,
    ...(policy.mergeable ? hindrances(pull) : []),
  ])
}

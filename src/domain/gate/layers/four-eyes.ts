import type { Judge } from '../facts.ts'
import { sameLogin } from '../people.ts'
import { off, unknown, unlessObjected } from '../verdict.ts'
import { noPolicy } from './config.ts'
import { nobodyAsked } from './permission.ts'

/** The person who asks is not the author. */
export const judgeFourEyes: Judge = (facts, policy) => {
  const { requester, pull } = facts
  if (policy === undefined) return unknown(noPolicy)
  if (!policy.four_eyes) return off('A second person is not required (apply.four_eyes: false)')
  if (requester === undefined) return nobodyAsked(facts)
  const same = sameLogin(requester, pull.author)
  const evidence = [{ holds: !same, text: `asked for by ${requester}, written by ${pull.author}`, login: requester }]
  const objection = {
    verdict: 'fail' as const,
    name: 'four_eyes',
    what: `${requester} wrote this pull request and may not apply it alone (apply.four_eyes)`,
    next: 'Somebody else with push permission has to ask for the apply',
  }
  return unlessObjected(`${requester} is not the author`, evidence, same ? [objection] : [])
}

import { shortSha } from '#domain/run-report.ts'
import type { ApplyPolicy, Judge, PullFacts } from '../facts.ts'
import { asksLastPush, pushedHead } from '../last-push.ts'
import { sameLogin } from '../people.ts'
import { type Evidence, type Objection, off, unknown, unlessObjected } from '../verdict.ts'
import { noPolicy } from './config.ts'
import { nobodyAsked } from './permission.ts'

type Finding = { evidence: Evidence[]; objections: Objection[] }

const nextPerson = 'Somebody else with push permission has to ask for the apply'

/** Whoever pushed the head wrote what is applied, though somebody else opened the pull request. */
const judgePusher = (facts: PullFacts, policy: ApplyPolicy, requester: string): Finding => {
  if (!asksLastPush(policy)) return { evidence: [], objections: [] }
  const head = shortSha(facts.pull.headSha)
  const pushed = pushedHead(facts, requester)
  if (pushed === null) {
    const what = `Who pushed ${head} could not be read from the code host`
    const next = 'Try again in a few minutes'
    return { evidence: [], objections: [{ verdict: 'unknown', name: 'four_eyes', what, next }] }
  }
  const commit = shortSha(facts.pusher?.sha ?? facts.pull.headSha)
  const text = `${commit} was pushed by ${facts.pusher?.login ?? 'an account that is gone'}`
  if (!pushed) return { evidence: [{ holds: true, text }], objections: [] }
  const what = `${requester} pushed ${commit} and may not apply it alone (apply.last_push)`
  return {
    evidence: [{ holds: false, text, login: requester }],
    objections: [{ verdict: 'fail', name: 'four_eyes', what, next: nextPerson }],
  }
}

/** The person who asks is not the author and, unless the policy allows that, did not push the head. */
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
    next: nextPerson,
  }
  const pusher = judgePusher(facts, policy, requester)
  return unlessObjected(
    `${requester} is not the author`,
    [...evidence, ...pusher.evidence],
    same ? [objection] : pusher.objections,
  )
}

import { shortSha } from '#domain/run-report.ts'
import type { PullFacts } from '../facts.ts'
import type { Judge } from '../judge.ts'
import { pushedHead } from '../last-push.ts'
import { sameLogin } from '../people.ts'
import { type Demanded, objectionsTo } from '../rules/demanded.ts'
import { placeText, type RuleRef } from '../rules/rule-ref.ts'
import { type Could, type Evidence, off, unknown, unlessObjected } from '../verdict.ts'
import { noPolicy } from './config.ts'
import { nobodyAsked } from './permission.ts'

type Found = { evidence: Evidence[]; objections: Demanded[] }

const nextPerson = 'Somebody else with push permission has to ask for the apply'

const nextAsker: Could = { act: 'ask', people: 1, logins: [], teams: [] }

/** Whoever pushed the head wrote what is applied, though somebody else opened the pull request. */
const judgePusher = (facts: PullFacts, by: RuleRef | undefined, requester: string): Found => {
  if (by === undefined) return { evidence: [], objections: [] }
  const head = shortSha(facts.pull.headSha)
  const pushed = pushedHead(facts, requester)
  if (pushed === null) {
    const what = `Who pushed ${head} could not be read from the code host`
    const next = 'Try again in a few minutes'
    return { evidence: [], objections: [{ by, objection: { verdict: 'unknown', name: 'four_eyes', what, next } }] }
  }
  const commit = shortSha(facts.pusher?.sha ?? facts.pull.headSha)
  const text = `${commit} was pushed by ${facts.pusher?.login ?? 'an account that is gone'}`
  if (!pushed) return { evidence: [{ holds: true, text }], objections: [] }
  const what = `${requester} pushed ${commit} and may not apply it alone (${placeText(by, 'last_push')})`
  const objection = { verdict: 'fail', name: 'four_eyes', what, next: nextPerson, could: nextAsker } as const
  return { evidence: [{ holds: false, text, login: requester }], objections: [{ by, objection }] }
}

const isAuthor = (requester: string, by: RuleRef): Demanded => ({
  by,
  objection: {
    verdict: 'fail',
    name: 'four_eyes',
    what: `${requester} wrote this pull request and may not apply it alone (${placeText(by, 'four_eyes')})`,
    next: nextPerson,
    could: nextAsker,
  },
})

/** The person who asks is not the author and, unless the policy allows that, did not push the head. */
export const judgeFourEyes: Judge = (facts, policy, taken) => {
  const { requester, pull } = facts
  if (policy === undefined || taken === undefined) return unknown(noPolicy)
  const asking = taken.demands.filter(({ requirements }) => requirements.four_eyes !== undefined)
  if (asking.length === 0) return off('A second person is not required (apply.four_eyes: false)')
  if (requester === undefined) return nobodyAsked(facts)
  const same = sameLogin(requester, pull.author)
  const evidence = [{ holds: !same, text: `asked for by ${requester}, written by ${pull.author}`, login: requester }]
  const objections = objectionsTo(taken, ({ four_eyes: by, last_push: pushed }) => {
    if (by === undefined) return []
    return same ? [isAuthor(requester, by)] : judgePusher(facts, pushed, requester).objections
  })
  const byPusher = asking.find(({ requirements }) => requirements.last_push !== undefined)?.requirements.last_push
  return unlessObjected(
    `${requester} is not the author`,
    [...evidence, ...judgePusher(facts, byPusher, requester).evidence],
    objections,
  )
}

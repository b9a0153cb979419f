import { shortSha } from '../run-report.ts'
import type { AskedFacts, PullFacts, Review } from './facts.ts'
import { pushedHead } from './last-push.ts'
import { mayPush, permissionOf, sameLogin } from './people.ts'
import type { Evidence } from './verdict.ts'

/** What a person's latest review is worth: `unknown` is an approval that counts or not by something that could not be read. */
export type Opinion = {
  login: string
  sha: string | null
  worth: 'counts' | 'unknown' | 'none'
  text: string
  at?: string
}

type Latest = Review & { login: string }

type Reviewed = Pick<AskedFacts, 'pull' | 'reviews' | 'pusher'>

const DECIDING = ['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED']

const stateOf = (review: Review): string => review.state.toUpperCase()

/**
 * Each user's latest review that decides: a comment takes no approval back. A deleted account's reviews have no user any more,
 * and so no permission to count by.
 */
const latestReviews = ({ reviews }: Pick<AskedFacts, 'reviews'>): Latest[] => {
  const latest = new Map<string, Latest>()
  for (const review of reviews) {
    const { login } = review
    if (login === null || !DECIDING.includes(stateOf(review))) continue
    const before = latest.get(login.toLowerCase())
    const isLater = (review.submittedAt ?? '') >= (before?.submittedAt ?? '') || !review.submittedAt
    if (before === undefined || isLater) latest.set(login.toLowerCase(), { ...review, login })
  }
  return [...latest.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, review]) => review)
}

const isBot = ({ bot, login }: Latest): boolean => bot || login.endsWith('[bot]')

/** Why a review cannot count whatever its author's permission; undefined if only the permission decides. */
const fault = (facts: Reviewed, review: Latest, lastPush: boolean): string | undefined => {
  const { login, commitId } = review
  const { pull } = facts
  const state = stateOf(review)
  if (state === 'DISMISSED') return `the review of ${login} was dismissed`
  if (state === 'CHANGES_REQUESTED') return `${login} requested changes`
  if (sameLogin(login, pull.author)) return `${login} is the author`
  if (isBot(review)) return `${login} is a bot`
  if (commitId === null) return `${login} approved a commit that is gone`
  if (commitId !== pull.headSha) return `${login} approved the older commit ${shortSha(commitId)}`
  return lastPush && pushedHead(facts, login) === true
    ? `${login} pushed ${shortSha(facts.pusher?.sha ?? commitId)}`
    : undefined
}

/**
 * People who approved the head commit and did not write it, nor pushed it where that counts (`last_push`): their permissions are worth
 * looking up.
 */
export const approversOf = (facts: Reviewed, lastPush: boolean): string[] =>
  latestReviews(facts)
    .filter((review) => fault(facts, review, lastPush) === undefined)
    .map(({ login }) => login)

/**
 * What each review is worth: only an approval of the head commit by somebody with push permission counts. The author's and a
 * bot's do not, and with `last_push` neither does that of the person who pushed it.
 */
export const opinionsOf = (facts: PullFacts, lastPush: boolean): Opinion[] =>
  latestReviews(facts).map((review): Opinion => {
    const { login, commitId: sha, submittedAt } = review
    const text = fault(facts, review, lastPush)
    if (text !== undefined) return { login, sha, worth: 'none', text }
    if (lastPush && pushedHead(facts, login) === null)
      return { login, sha, worth: 'unknown', text: `whether ${login} pushed the head could not be read` }
    const permission = permissionOf(facts, login)
    if (permission === undefined)
      return { login, sha, worth: 'unknown', text: `the permission of ${login} could not be read` }
    return mayPush(permission)
      ? {
          login,
          sha,
          worth: 'counts',
          text: `${login} approved ${shortSha(facts.pull.headSha)}`,
          ...(submittedAt ? { at: submittedAt } : {}),
        }
      : { login, sha, worth: 'none', text: `${login} has no push permission` }
  })

export const evidenceOf = ({ login, sha, worth, text }: Opinion): Evidence => ({
  holds: worth === 'counts',
  text,
  login,
  ...(sha !== null && { sha }),
})

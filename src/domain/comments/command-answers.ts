import type { LeftOut } from '#domain/resolution/choose-stacks.ts'
import { clip, code, cutAtLine, fewer, plain } from '#domain/texts/markdown.ts'
import { shortSha } from '../run-report.ts'
import type { Verb } from './comment-command.ts'
import { checkStateLock } from './lock-comments.ts'
import { commentLimit } from './pull-comment.ts'

/*
 * Answers to commands in comments, as Markdown. Each says what was done, or why nothing was, and what to do next.
 */

/** The first line of an answer, by which a retry finds it again. `name` says what it answers: a command, or a merge. */
export const answerMarker = (name: string): string => `<!-- svc:answer ${name} -->`

/** Keys may be long: with lines over the limit of a comment, the whole answer would be lost, with what to do next. */
const answer = (head: string, lines: readonly string[], next: string): string => {
  const room = commentLimit - head.length - next.length - 200
  return [`### ${head}`, cutAtLine(lines.join('\n'), room, '- …'), `**Next:** ${next}`]
    .filter((part) => part !== '')
    .join('\n\n')
}

const linesShown = 50

const stackCode = (key: string): string => code(clip(key, 300))

/** A command that cannot be read as it is written. `message` is Markdown. */
export const unreadableAnswer = (verb: Verb, message: string): string =>
  answer(
    `❌ ${code(`svc ${verb}`)} was not carried out`,
    [message],
    'nothing was done. Write the command again in a new comment.',
  )

/** A command that the code host did not let the app carry out. */
export const forbiddenAnswer = (verb: Verb, message: string): string =>
  answer(
    `❌ ${code(`svc ${verb}`)} was not carried out`,
    [`The code host refused what it needs: ${plain(clip(message, 1000))}.`],
    'nothing was done. Somebody who administers the app grants it the permission that is named, on this repository; then comment again.',
  )

/** A command by somebody whom svc.yml does not let do it. `why` is the beginning of a sentence. */
export const notAllowedAnswer = (verb: Verb, why: string): string =>
  answer(
    `❌ ${code(`svc ${verb}`)} was not carried out`,
    [`${plain(clip(why, 1000))}.`],
    `nothing was done. Somebody who may do it has to comment; ${code(`${verb}.teams`)} of svc.yml on the default branch says who.`,
  )

/** A command that failed on every attempt. `message` is the last error. */
export const givenUpAnswer = (verb: Verb, message: string): string =>
  answer(
    `❌ ${code(`svc ${verb}`)} was not carried out`,
    [`The service tried for hours, and gave up: ${plain(clip(message, 1000))}.`],
    'write the command again in a new comment; if that fails too, an administrator of the service can find the cause in its log.',
  )

/** An apply on merge that failed on every attempt. `message` is the last error. */
export const mergeGivenUpAnswer = (message: string): string =>
  answer(
    '❌ Merged, and what was planned here is not applied',
    [`The service tried to apply it on merge, or to find out whether to, and gave up: ${plain(clip(message, 1000))}.`],
    'nothing was applied and no lock was taken. An administrator of the service can retry it (`apply_on_merge` in `GET /v1/queue?state=dead`, then `POST /v1/queue/{id}/retry`); or apply the stacks by a run with an API key.',
  )

/** An apply on merge that windows keep. `reasons` are the gate's. */
export const mergeWaitsAnswer = (reasons: readonly string[]): string =>
  answer(
    '⏳ Merged, and applied once applies may begin',
    reasons.map((reason) => `- ${plain(clip(reason, 1000))}`),
    'nothing, but for waiting: the gate judges again then, by the policy as it is by then, and the apply begins by itself if nothing else is in the way. Sooner the stacks are applied by a run with an API key, or after a change of `apply.windows` on the default branch, which is seen within the hour.',
  )

/** More commands than are carried out in a minute; one answer for all of them. */
export const rateLimitedAnswer = (perMinute: number): string =>
  answer(
    '⏳ Too many commands',
    [
      `More than ${perMinute} commands came on this pull request within a minute. The commands over the limit are not carried out.`,
    ],
    'Wait a minute, then comment the command again; keys and globs name several stacks in one command.',
  )

/** An apply of some stacks without others that they depend on. */
export const leftOutAnswer = (leftOut: readonly LeftOut[]): string => {
  const missing = [...new Set(leftOut.flatMap(({ needs }) => needs))].sort()
  const lines = leftOut.map(({ key, needs }) => {
    const shown = needs.slice(0, 5).map(stackCode).join(', ')
    return `- ${stackCode(key)} depends on ${shown}${needs.length > 5 ? ` and ${needs.length - 5} more` : ''}`
  })
  return answer(
    `❌ ${code('svc apply')} leaves out what the named stacks depend on`,
    [
      'This pull request changes these too, and they are not applied yet. Without them, the named stacks would be applied on top of something that does not exist yet:\n',
      ...fewer(lines, linesShown),
    ],
    `nothing was applied and no lock was taken. Name ${missing.length === 1 ? 'it' : 'them'} too (${missing.slice(0, 10).map(stackCode).join(', ')}${missing.length > 10 ? ` and ${missing.length - 10} more` : ''}), or comment ${code('svc apply')} for all.`,
  )
}

/** An apply of what is already applied. */
export const appliedAnswer = (sha: string): string =>
  answer(
    `✅ The plan of ${shortSha(sha)} is already applied`,
    ['Every stack that was asked for matches its plan.'],
    'Merge, and the default branch matches what is there; or comment `svc plan` to see whether the stacks still match.',
  )

/** Reasons why stacks are not planned again now; each with what to do. */
export const replanHindrances = {
  closed: ['The pull request is closed.', 'Reopen it and push, or open another pull request.'],
  fork: [
    'Its branch is in a fork: jobs of a fork get no token to report with, so nothing plans it.',
    'Push the branch to this repository and open the pull request from it.',
  ],
  missing: [
    'There is no plan of this pull request yet, and so no graph to plan by: the jobs of its workflow upload it.',
    'See whether the plan workflow ran: it does not while the pull request conflicts with its base. Then push, or re-run all jobs.',
  ],
  unresolved: [
    'The jobs of this commit have not uploaded its graph yet, or it could not be resolved: there is nothing to plan by.',
    'See the check `svc/resolve`; fix what it names and push, or re-run all jobs.',
  ],
  older: [
    'The plan is of an older commit than the head, and so is its graph.',
    'Wait until the jobs of the head have planned it; if none run, push or re-run all jobs.',
  ],
  planning: [
    'A plan of this commit is still under way.',
    'Wait until it has ended, then comment again; if its jobs are gone, re-run all jobs.',
  ],
  applying: [
    'An apply of this pull request is in flight: a plan made now would show something in between.',
    'Wait until the apply has ended, then comment again.',
  ],
  nothing: ['The change affects no stack.', 'There is nothing to plan.'],
} as const satisfies Record<string, readonly [why: string, next: string]>

export type ReplanHindrance = keyof typeof replanHindrances

export const replanRefusedAnswer = (hindrance: ReplanHindrance): string => {
  const [why, next] = replanHindrances[hindrance]
  return answer(`❌ ${code('svc plan')} planned nothing`, [why], next)
}

type Lock = { stackKey: string; runId: string; prNumber?: number | undefined; takenAt?: string | undefined }

/** `unseen`: the apply of the stack ended without a report, so the tool may still hold the state lock. */
type ReleasedLock = Lock & { unseen?: boolean }

export type Unlocked = {
  released: readonly ReleasedLock[]
  /** Locks of others on the stacks of this pull request: people who ask for an unlock often mean these. */
  others: readonly Lock[]
  /** An apply of this pull request that was in flight when its locks were released. */
  inFlight?: string | undefined
  /** Only some stacks were asked for: the pull request may hold locks of others. */
  named?: boolean
}

const holderOf = ({ prNumber, runId }: Lock): string =>
  prNumber === undefined ? `the manual run ${code(runId)}` : `pull request #${prNumber}`

const othersLines = (others: readonly Lock[]): string[] =>
  others.length === 0
    ? []
    : [
        '',
        'Locked by others:',
        '',
        ...fewer(
          others.map((lock) => `- ${stackCode(lock.stackKey)} by ${holderOf(lock)}`),
          linesShown,
        ),
      ]

const nextAfter = ({ released, others, inFlight }: Unlocked): string => {
  if (inFlight !== undefined)
    return `the apply run ${code(inFlight)} is still in flight, and others may now change the same stacks: wait until it has ended, and see that each of its jobs reported.`
  if (released.some(({ unseen }) => unseen)) return checkStateLock
  const pulls = [...new Set(others.flatMap(({ prNumber }) => prNumber ?? []))].sort((a, b) => a - b)
  if (pulls.length > 0)
    return `a lock is released where it is held: comment ${code('svc unlock')} in ${pulls.map((pull) => `#${pull}`).join(', ')}, once you know that its changes may be overwritten.`
  if (others.length > 0) return 'a manual run releases its locks when its results arrive.'
  return released.length === 0
    ? 'there is nothing to do.'
    : `what was applied and is not on the default branch stays applied until somebody plans and applies these stacks again: comment ${code('svc plan')} here, or revert.`
}

/** What an unlock released, and who else holds locks that this pull request waits for. */
export const unlockedAnswer = (unlocked: Unlocked): string => {
  const { others } = unlocked
  const released = [...unlocked.released].sort((a, b) => (a.stackKey < b.stackKey ? -1 : 1))
  const count = released.length
  const unheld = unlocked.named
    ? 'Nothing was released: the named stacks are not locked'
    : 'This pull request holds no lock'
  const none = others.length === 0 ? unheld : 'Nothing was released: others hold the locks'
  const head = count === 0 ? none : `Released ${count === 1 ? 'one lock' : `${count} locks`}`
  const lines = released.map(({ stackKey, takenAt, unseen }) => {
    const since = takenAt === undefined ? '' : `, held since ${plain(takenAt)}`
    return `- ${stackCode(stackKey)}${since}${unseen ? ': its apply ended without a report, ⚠️ check the state lock' : ''}`
  })
  return answer(`🔓 ${head}`, [...fewer(lines, linesShown), ...othersLines(others)], nextAfter(unlocked))
}

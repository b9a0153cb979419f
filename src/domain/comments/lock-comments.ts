import { many } from '#domain/texts/change-counts.ts'
import { clip, code, cutAtLine, fewer, link, plain } from '#domain/texts/markdown.ts'
import { commentLimit } from './pull-comment.ts'

/** A run as comments name it. */
export type NamedRun = { id: string; html_url: string }

/** What a pull request is notified of when somebody releases its locks. */
export type Unlocked = {
  keys: readonly string[]
  actor: string
  reason?: string | undefined
  /** The release followed a runner that died during an apply. */
  forceState: boolean
  run: NamedRun
}

export type HeldStack = { key: string; takenAt: Date; run: NamedRun }

const reasonChars = 1000
const shown = 50

const runLine = (run: NamedRun): string => `${link('Run', run.html_url)} ${code(run.id)}`

const fitted = (parts: readonly string[]): string =>
  cutAtLine(parts.filter((part) => part !== '').join('\n\n'), commentLimit, '… more on the pages of the stacks.')

/** Who released what and why, and what to do now. */
export const unlockedComment = ({ keys, actor, reason, forceState, run }: Unlocked): string => {
  const head = keys.length === 1 ? '### 🔓 A lock was released' : `### 🔓 ${keys.length} locks were released`
  const why = reason === undefined || reason.trim() === '' ? '' : `: ${plain(clip(reason, reasonChars))}`
  const stacks = [...keys].sort().map((key) => `- ${code(key)}`)
  return fitted([
    head,
    `Held by this pull request, released by ${code(actor)}${why}`,
    fewer(stacks, shown).join('\n'),
    forceState ? afterDeath : '',
    `**Next:** ${nextOfUnlocked(forceState)}`,
    runLine(run),
  ])
}

/** What to look at if an apply ended unseen: its state lock, and what it did. */
export const checkStateLock =
  'See in the log of the job how far the apply came. If the state is still locked, release it with `force-unlock` of the tool once nothing runs any more. Then comment `svc plan`, and compare the plan with what you expect.'

const afterDeath =
  '⚠️ Released as after a runner that died during an apply. The tool may still hold its own lock on the state, and may have changed things without recording them: the service cannot see either, and touches neither.'

const nextOfUnlocked = (forceState: boolean): string =>
  forceState
    ? checkStateLock
    : 'Others can change these stacks now. What this pull request applied is still there, though the default branch may differ: comment `svc plan`, then `svc apply`, to continue, or revert it.'

/**
 * How a pull request ended: merged into the default branch, merged into another one (which leaves the default branch as it
 * was), or not merged.
 */
export type PullRequestEnd = { kind: 'merged' } | { kind: 'closed' } | { kind: 'merged_elsewhere'; branch: string }

/** The pull request was closed and its stacks differ from the default branch: nobody is left who would fix that. */
export const orphanedComment = (held: readonly HeldStack[], end: PullRequestEnd): string => {
  const [first] = held
  return fitted([
    `### ⚠️ Closed, and ${many(held.length, 'lock')} still held`,
    howItEnded(end),
    stackLines(held),
    `**Next:** ${nextOfOrphaned[end.kind]}`,
    first === undefined ? '' : runLine(first.run),
  ])
}

const howItEnded = (end: PullRequestEnd): string => {
  if (end.kind === 'merged')
    return 'This pull request is merged, and its apply did not end well everywhere: what is there does not match the default branch.'
  const how =
    end.kind === 'closed'
      ? 'closed without being merged'
      : `merged into ${code(end.branch)}, which is not the default branch,`
  return `This pull request was ${how} after stacks of it were applied, or may have been: what is there does not match the default branch.`
}

const nextOfOrphaned: Record<PullRequestEnd['kind'], string> = {
  merged:
    'Bring the stacks in line with the default branch, with a change to them in another pull request or with a manual run; an API key releases a lock with `POST /v1/unlock`, giving the reason.',
  closed:
    'Reopen it and merge it, or bring the stacks in line with the default branch. Then comment `svc unlock` here: until then no other pull request can apply them.',
  merged_elsewhere:
    'Bring that branch into the default branch, or the stacks in line with the default branch. Then comment `svc unlock` here: until then no other pull request can apply them.',
}

const stackLines = (held: readonly HeldStack[]): string =>
  fewer(
    held.map(({ key }) => `- ${code(key)}`),
    shown,
  ).join('\n')

/** `26 hours`, `3 days`: in the unit that people would use. */
export const age = (from: Date, to: Date): string => {
  const minutes = Math.max(Math.floor((+to - +from) / 60_000), 0)
  if (minutes < 120) return many(minutes, 'minute') || 'less than a minute'
  const hours = Math.floor(minutes / 60)
  return hours < 72 ? many(hours, 'hour') : many(Math.floor(hours / 24), 'day')
}

/** How long the pull request has held its locks, by which runs, and how to release them. */
export const reminderComment = (held: readonly HeldStack[], now: Date): string => {
  const lines = held.map(
    ({ key, takenAt, run }) =>
      `- ${code(key)} for ${age(takenAt, now)}, by ${link('run', run.html_url)} ${code(run.id)}`,
  )
  return fitted([
    `### 🔒 This pull request holds ${held.length === 1 ? 'a lock' : `${held.length} locks`}`,
    'Until they are released, nobody else can apply these stacks.',
    fewer(lines, shown).join('\n'),
    '**Next:** Apply what is left and merge, which releases them; or close this pull request if nothing was applied; or comment `svc unlock` if what is there may stay as it is.',
  ])
}

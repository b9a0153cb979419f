import type { ReportedStack } from '../run-report.ts'
import type { RunMode, StackStatus } from '../run-status.ts'
import { changeCounts } from './change-counts.ts'
import { code, plain } from './markdown.ts'

type Outcome = Pick<ReportedStack, 'status' | 'summary' | 'exit_code' | 'blocked_by'>

/** What became of a stack, in a few words; `name` formats another stack's key (as code, or bare in a title). */
export const stackOutcome = (mode: RunMode, stack: Outcome, name: (key: string) => string): string => {
  const counts = stack.summary === undefined ? '' : `, ${changeCounts(stack.summary)}`
  switch (stack.status) {
    case 'planned':
      return mode === 'drift' ? `drifted${counts}` : `planned${counts}`
    case 'applied':
      return `applied${counts}`
    case 'failed':
      return stack.exit_code === undefined ? 'failed' : `failed, exit code ${stack.exit_code}`
    case 'blocked':
      return blockedBy(stack.blocked_by ?? [], name)
    default:
      return words[stack.status]
  }
}

const words: Record<Exclude<StackStatus, 'planned' | 'applied' | 'failed' | 'blocked'>, string> = {
  pending: 'waiting',
  planning: 'planning',
  applying: 'applying',
  noop: 'no changes',
  unknown: 'unknown: its job ended without a report',
  unconfirmed: 'not confirmed by the service',
  skipped: 'skipped: the run ended first',
  superseded: 'superseded by a newer commit',
}

/** The first few of many names, and how many more there are. */
const someOf = (keys: readonly string[], name: (key: string) => string, shown = 3): string => {
  const more = keys.length - shown
  return keys.slice(0, shown).map(name).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

const blockedBy = (keys: readonly string[], name: (key: string) => string): string =>
  keys.length === 0 ? 'blocked by a failed dependency' : `blocked by ${someOf(keys, name)}`

/** Why a stack is in the run and through which stacks and modules, as Markdown. */
export const reasonsOf = ({ reasons, via = [] }: ReportedStack, shown: number): string => {
  const words = plain(reasons.map((reason) => reason.replace('_', ' ')).join(', '))
  return via.length === 0 ? words : `${words} via ${someOf(via, code, shown)}`
}

export const lockHolder = (lock: NonNullable<ReportedStack['locked_by']>, name = code): string =>
  lock.pr_number === undefined ? `run ${name(lock.run_id)}` : `#${lock.pr_number}`

/** A sign for the eye; the words beside it say the same. Changes are expected in a plan, but not in a drift run. */
export const signOf = (mode: RunMode, status: StackStatus): string =>
  mode === 'drift' && status === 'planned' ? '⚠️' : signs[status]

const signs: Record<StackStatus, string> = {
  pending: '⏳',
  planning: '⏳',
  planned: '✅',
  applying: '⏳',
  applied: '✅',
  noop: '✅',
  failed: '❌',
  blocked: '⛔',
  unknown: '❓',
  unconfirmed: '⚠️',
  skipped: '⏭️',
  superseded: '⏭️',
}

export const checkSign = { pass: '✅', warn: '⚠️', fail: '❌' } as const

/** Stacks by what became of them, worst first: `2 failed, 3 blocked, 7 planned`. */
export const outcomeTally = (mode: RunMode, stacks: readonly ReportedStack[]): string => {
  const counts = new Map<StackStatus, number>()
  for (const { status } of stacks) counts.set(status, (counts.get(status) ?? 0) + 1)
  return tallied
    .filter((status) => counts.has(status))
    .map((status) => `${counts.get(status)} ${tallyWord(mode, status)}`)
    .join(', ')
}

const tallied: readonly StackStatus[] = [
  'failed',
  'unknown',
  'unconfirmed',
  'blocked',
  'skipped',
  'superseded',
  'applying',
  'planning',
  'pending',
  'applied',
  'planned',
  'noop',
]

const tallyWord = (mode: RunMode, status: StackStatus): string => {
  if (status === 'noop') return 'without changes'
  if (status === 'unconfirmed') return 'not confirmed'
  if (status === 'pending') return 'waiting'
  return status === 'planned' && mode === 'drift' ? 'drifted' : status
}

import type { ReportedRun, ReportedStack } from '../run-report.ts'
import { isBroken } from '../run-status.ts'
import { many } from './change-counts.ts'
import { clip } from './markdown.ts'
import { lockHolder, stackOutcome } from './stack-outcome.ts'

export const attentionKinds = [
  'run_failed',
  'stack_failed',
  'stack_unknown',
  'stack_unconfirmed',
  'check_failed',
  'stack_locked',
  'warning',
  'more',
] as const

/** Something of a run that somebody has to look at, as a sentence without markup, and what a page can link from it. */
export type Attention = {
  kind: (typeof attentionKinds)[number]
  text: string
  stack_key?: string
  /** Name of the check. */
  check?: string
  /** Of the warning. */
  code?: string
  /** Who holds the lock. */
  locked_by?: NonNullable<ReportedStack['locked_by']>
}

type AttentionStack = Pick<ReportedStack, 'key' | 'status' | 'exit_code' | 'locked_by'> & {
  /** How many stacks are blocked by it. */
  blocks: number
  failedChecks: readonly { name: string; summary?: string | undefined }[]
}

type AttentionOf = {
  run: Pick<ReportedRun, 'mode' | 'failure' | 'warnings'>
  /** Those of its stacks that there is something to say of. */
  stacks: readonly AttentionStack[]
  /** How many more of them there are. */
  moreStacks: number
}

const bare = (key: string): string => key

/** What a run wants somebody to look at, as its comment says it: why it failed, its stacks one by one, its warnings. */
export const attentionOf = ({ run, stacks, moreStacks }: AttentionOf): Attention[] => [
  ...failureOf(run),
  ...stacks.flatMap((stack) => [...outcomeOf(run, stack), ...checksOf(stack), ...lockOf(stack)]),
  ...(moreStacks > 0 ? [{ kind: 'more' as const, text: `… and ${many(moreStacks, 'more stack')}` }] : []),
  ...run.warnings.map(({ code, message }) => ({ kind: 'warning' as const, text: message, code })),
]

const cyclesShown = 10

const failureOf = ({ failure }: AttentionOf['run']): Attention[] => {
  if (failure === undefined) return []
  const { reason, cycles = [] } = failure
  if (cycles.length === 0) return [{ kind: 'run_failed', text: clip(reason, 2000) }]
  const more = cycles.length - cyclesShown
  const shown = cycles.slice(0, cyclesShown).map((cycle) => clip(cycle, 1000))
  return [{ kind: 'run_failed', text: `${reason}: ${shown.join('; ')}${more > 0 ? `; … and ${more} more` : ''}` }]
}

const outcomeOf = ({ mode }: AttentionOf['run'], stack: AttentionStack): Attention[] => {
  const { key, status, blocks } = stack
  if (!isBroken(status)) return []
  const verb = blocks === 1 ? 'is' : 'are'
  const blocking = blocks === 0 ? '' : `; ${many(blocks, 'stack')} ${verb} blocked by it`
  const outcome = stackOutcome(mode, stack, bare)
  return [{ ...kindOf(status, `${key} ${status === 'failed' ? '' : 'is '}${outcome}${blocking}`), stack_key: key }]
}

const kindOf = (status: string, text: string): Attention => {
  if (status === 'unknown') return { kind: 'stack_unknown', text }
  return { kind: status === 'unconfirmed' ? 'stack_unconfirmed' : 'stack_failed', text }
}

const checksOf = ({ key, failedChecks }: AttentionStack): Attention[] =>
  failedChecks.map(({ name, summary }) => ({
    kind: 'check_failed',
    text: `${name} of ${key} failed${summary ? `: ${clip(summary, 300)}` : ''}`,
    stack_key: key,
    check: name,
  }))

const lockOf = ({ key, locked_by }: AttentionStack): Attention[] =>
  locked_by === undefined
    ? []
    : [{ kind: 'stack_locked', text: `${key} is locked by ${lockHolder(locked_by, bare)}`, stack_key: key, locked_by }]

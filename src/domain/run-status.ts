/*
 * What runs are for, what starts them, and the statuses of runs and their stacks (docs/interface.md, 'Run', 'RunStack'). One
 * list each, and one table of what a status means: the API's contracts, the database's statements, the machines and the texts
 * are made of them.
 */

export const runModes = ['plan', 'apply', 'drift'] as const
export type RunMode = (typeof runModes)[number]

export const runTriggers = ['pull_request', 'comment', 'push', 'schedule', 'rerequest', 'manual'] as const
export type RunTrigger = (typeof runTriggers)[number]

export const runStatuses = [
  'pending',
  'planning',
  'planned',
  'applying',
  'applied',
  'failed',
  'unconfirmed',
  'superseded',
] as const
export type RunStatus = (typeof runStatuses)[number]

export const stackStatuses = [...runStatuses, 'blocked', 'noop', 'unknown', 'skipped'] as const
export type StackStatus = (typeof stackStatuses)[number]

type Facts = {
  /** `waiting`: nothing has begun. `under way`: jobs run, or are about to be sent. `over`: nothing more happens by itself. */
  phase: 'waiting' | 'under way' | 'over'
  /** How it ended; `nowhere` if no job finished it. */
  went?: 'well' | 'badly' | 'nowhere'
  /** The only runs that know the status; checks for drift count as plans. */
  only?: 'plan' | 'apply'
}

const facts = {
  pending: { phase: 'waiting' },
  planning: { phase: 'under way', only: 'plan' },
  planned: { phase: 'over', went: 'well', only: 'plan' },
  applying: { phase: 'under way', only: 'apply' },
  applied: { phase: 'over', went: 'well', only: 'apply' },
  noop: { phase: 'over', went: 'well' },
  failed: { phase: 'over', went: 'badly' },
  unconfirmed: { phase: 'over', went: 'badly' },
  unknown: { phase: 'over', went: 'badly' },
  blocked: { phase: 'over', went: 'nowhere' },
  skipped: { phase: 'over', went: 'nowhere' },
  superseded: { phase: 'over', went: 'nowhere' },
} as const satisfies Record<StackStatus, Facts>

type StatusThat<Is> = { [S in StackStatus]: (typeof facts)[S] extends Is ? S : never }[StackStatus]

export type OpenStatus = StatusThat<{ phase: 'waiting' | 'under way' }>

const statusesThat = (test: (facts: Facts) => boolean): readonly StackStatus[] =>
  stackStatuses.filter((status) => test(facts[status]))

const isOver = ({ phase }: Facts): boolean => phase === 'over'
const isOf = (mode: 'plan' | 'apply', { only = mode }: Facts): boolean => only === mode

/** Not over yet. */
export const openStatuses = statusesThat((is) => !isOver(is))
/** The same without the statuses that plans never have: the open rows of one mode have indexes of their own. */
export const openPlanStatuses = statusesThat((is) => !isOver(is) && isOf('plan', is))
export const openApplyStatuses = statusesThat((is) => !isOver(is) && isOf('apply', is))
export const underWayStatuses = statusesThat(({ phase }) => phase === 'under way')

/** A job finished it, well or badly. */
export const ranStatuses = statusesThat(({ went }) => went === 'well' || went === 'badly')
/** No job has done anything, or not yet. */
export const untouchedStatuses = statusesThat(({ phase, went }) => phase === 'waiting' || went === 'nowhere')

type EndedStatus = Exclude<StackStatus, StatusThat<{ phase: 'under way' } | { only: 'plan' }>>

/** What a stack of an apply may be when its run has ended: pending or superseded if the run never started it. */
export const endedStackStatuses = stackStatuses.filter(
  (status): status is EndedStatus => facts[status].phase !== 'under way' && isOf('apply', facts[status]),
)

/** Failed, or ended without a report of how. */
export const brokenStatuses = statusesThat(({ went }) => went === 'badly')

/** An apply made it match its plan. */
export const doneByApplyStatuses = statusesThat((is) => is.went === 'well' && isOf('apply', is))
/** An apply changed it, or may have: a stack that failed, or whose end was not seen, may have got any distance. */
export const changedByApplyStatuses: readonly StackStatus[] = ['applied', ...brokenStatuses]

const isOneOf =
  (statuses: readonly StackStatus[]) =>
  (status: string): boolean =>
    statuses.some((one) => one === status)

export const isOpen = (status: string): status is OpenStatus => isOneOf(openStatuses)(status)
export const isUnderWay = isOneOf(underWayStatuses)
/** A job finished it. */
export const hasRun = isOneOf(ranStatuses)
export const isBroken = isOneOf(brokenStatuses)
/** It did what was asked. */
export const isDone = isOneOf(statusesThat(({ went }) => went === 'well'))
/** A job may report it. This includes `unknown`: nobody saw its end, and its result may come late. */
export const takesResult = isOneOf([...openStatuses, 'unknown'])

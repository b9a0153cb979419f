import type { LinkOptions } from '@tanstack/react-router'
import type { Overview } from '../api/overview.ts'
import { capital, many } from '../parts/words.ts'
import { looks, type StatusLook } from '../status/table.ts'

type Attention = NonNullable<Overview['attention']>
type ItemOf<K extends keyof Attention> = NonNullable<Attention[K]>['items'][number]

/** Where somebody who is needed goes. */
type Way = { label: string; to: LinkOptions }

const toRun = (label: string, id: string, stack?: string): Way => ({
  label,
  to: { to: '/runs/$id', params: { id }, search: { stack } },
})

/** A sentence that needs somebody: what it is about, what is the matter, since when, and where to go. */
export type Need = { look: StatusLook; about: string; text: string; since?: string | undefined; way: Way }

const lostWords: Record<NonNullable<ItemOf<'unknown_stacks'>['unknown_reason']>, string> = {
  workflow_finished: 'its job ended without a report',
  not_picked_up: 'no workflow run picked it up',
  dispatch_refused: 'the code host refused to run it',
  not_reported: 'who started the run did not report it in time',
}

const applyOf = (pr: number | undefined, repo: string): string =>
  `${pr === undefined ? 'a manual apply' : `the apply of #${pr}`} in ${repo}`

const failedStack = (one: ItemOf<'failed_stacks'>): Need => ({
  look: looks.stack.failed,
  about: one.stack_key,
  text: ` failed in ${applyOf(one.pr_number, one.repo)}, which keeps its lock`,
  since: one.failed_at,
  way: toRun('See what failed', one.run_id, one.stack_key),
})

const unknownStack = (one: ItemOf<'unknown_stacks'>): Need => ({
  look: looks.stack.unknown,
  about: one.stack_key,
  text: ` is unknown in ${applyOf(one.pr_number, one.repo)}: ${lostWords[one.unknown_reason ?? 'workflow_finished']}`,
  since: one.unknown_since,
  way: toRun('See its job', one.run_id, one.stack_key),
})

const whatOf = ({ mode, pr_number, repo }: ItemOf<'refused_dispatches'>): string =>
  mode === 'apply'
    ? capital(applyOf(pr_number, repo))
    : `The ${mode === 'plan' ? 'plan' : 'check for drift'} in ${repo}`

const refusedDispatch = (one: ItemOf<'refused_dispatches'>): Need => {
  const asked = `Asked ${one.refusals === 1 ? 'once' : `${one.refusals} times`}`
  const ends = one.gives_up_at === undefined ? '' : `; given up at ${one.gives_up_at}`
  return {
    look: looks.dispatch.refused,
    about: whatOf(one),
    text: ` cannot start: the code host answered “${one.message}”. ${asked}${ends}`,
    since: one.created_at,
    way: toRun('See the run', one.run_id),
  }
}

const orphanedLock = (one: ItemOf<'orphaned_locks'>): Need => {
  const holder = one.pr_number === undefined ? 'a manual run' : `#${one.pr_number}`
  const state = one.pr_state === 'closed' ? ', which is closed' : one.pr_state === 'merged' ? ', which is merged' : ''
  const waiting = one.waiting_total === 0 ? '' : `; ${many(one.waiting_total, 'waits', 'wait')}`
  return {
    look: looks.lock['held.orphaned'],
    about: one.stack_key,
    text: ` in ${one.repo} is locked by ${holder}${state}: nobody is left who would set it right${waiting}`,
    since: one.taken_at,
    way: { label: 'See the lock', to: { to: '/stacks/$id', params: { id: one.stack_id } } },
  }
}

const deadItem = (one: ItemOf<'dead_items'>): Need => ({
  look: looks.stack.unconfirmed,
  about: `${one.queue === 'events' ? 'A delivery' : 'A job'}, ${one.kind.replaceAll('_', ' ')},`,
  text: ` was given up${one.last_error === undefined ? '' : `: ${one.last_error}`}`,
  since: one.finished_at,
  way: { label: 'See the queue', to: { to: '/queue' } },
})

/** What needs somebody in all that one sees, kind by kind; the service answers the first ten of each. */
export const needsOf = ({
  failed_stacks,
  unknown_stacks,
  refused_dispatches,
  orphaned_locks,
  dead_items,
}: Attention = {}): Need[] => [
  ...(failed_stacks?.items ?? []).map(failedStack),
  ...(unknown_stacks?.items ?? []).map(unknownStack),
  ...(refused_dispatches?.items ?? []).map(refusedDispatch),
  ...(orphaned_locks?.items ?? []).map(orphanedLock),
  ...(dead_items?.items ?? []).map(deadItem),
]

/** How many there are in all. */
export const totalOf = (attention: Attention = {}): number =>
  Object.values(attention).reduce((sum, some) => sum + (some?.total ?? 0), 0)

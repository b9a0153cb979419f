import type { Attention } from '../../api/run-types.ts'
import type { Rows } from '../../live/changes.ts'
import type { RunHead } from '../../live/run-store.ts'
import { many } from '../../parts/words.ts'
import { looks, type StatusLook } from '../../status/table.ts'

/** What the one button beside it does. */
export type Deed =
  | { does: 'show'; key: string }
  | { does: 'release'; key: string }
  | { does: 'open run'; id: string }
  | { does: 'filter' }
  | { does: 'open tab'; tab: 'warnings' | 'timeline' }

/** A sentence that needs somebody. `about` is its beginning where that names a stack. */
export type Need = { look: StatusLook; about: string; text: string; label: string; deed: Deed }

/** The gravest first; the service's own order within a kind. */
const order: Record<Attention['kind'], number> = {
  run_failed: 0,
  stack_failed: 1,
  stack_unknown: 2,
  stack_unconfirmed: 3,
  check_failed: 4,
  stack_locked: 5,
  more: 6,
  warning: 7,
}

const lookOf: Record<Attention['kind'], StatusLook> = {
  run_failed: looks.stack.failed,
  stack_failed: looks.stack.failed,
  stack_unknown: looks.stack.unknown,
  stack_unconfirmed: looks.stack.unconfirmed,
  check_failed: looks.verdict.fail,
  stack_locked: looks.lock['held.claimed'],
  more: looks.stack.failed,
  warning: looks.stack.unconfirmed,
}

/** What needs somebody in a run, in the order in which to look at it. */
export const needsOfRun = ({ attention = [] }: Pick<RunHead, 'attention'>, rows: Rows): Need[] =>
  attention.toSorted((a, b) => order[a.kind] - order[b.kind]).map((one) => needOf(one, rows))

const needOf = (one: Attention, rows: Rows): Need => {
  const about = one.stack_key !== undefined && one.text.startsWith(one.stack_key) ? one.stack_key : ''
  return { look: lookOf[one.kind], about, text: one.text.slice(about.length), ...deedOf(one, rows) }
}

const deedOf = ({ kind, stack_key: key, locked_by }: Attention, rows: Rows): Pick<Need, 'label' | 'deed'> => {
  if (kind === 'stack_locked' && locked_by !== undefined) {
    const { run_id: id, pr_number: pr } = locked_by
    return { label: pr === undefined ? 'Open its run' : `Open the run of #${pr}`, deed: { does: 'open run', id } }
  }
  if (kind === 'warning') return { label: 'Read', deed: { does: 'open tab', tab: 'warnings' } }
  if (kind === 'more') return { label: 'Show all', deed: { does: 'filter' } }
  if (key === undefined) return { label: 'What happened', deed: { does: 'open tab', tab: 'timeline' } }
  if (kind === 'stack_unknown' && rows.get(key)?.lock !== undefined) {
    return { label: 'See its job, then release…', deed: { does: 'release', key } }
  }
  return { label: 'Show', deed: { does: 'show', key } }
}

/** `2 things need somebody`. The service tells some stacks one by one, and says how many more there are. */
export const needsHeading = (attention: readonly Attention[]): string => {
  const told = attention.filter(({ kind }) => kind !== 'more').length
  const isMore = told < attention.length
  if (isMore) return `More than ${told} things need somebody`
  return `${many(told, 'thing needs', 'things need')} somebody`
}

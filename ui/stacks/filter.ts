import type { StackStatus } from '#api/runs/run-stack.ts'
import type { StackFilter } from '../api/stacks.ts'
import type { Asked } from '../list/filters.ts'
import { gravity } from '../repository/stacks/standing.ts'
import { stackStatuses } from '../status/table.ts'

/** What says something else than a status, and is so or is not asked for. */
export const flags = { drifted: 'drifted', locked: 'locked', behind: 'modules behind' } as const

/** Those that need nobody are left out, unless they were asked for. */
const seldom: readonly StackStatus[] = ['pending', 'noop', 'superseded', 'skipped']

/** The statuses to choose from, the gravest first. */
export const statusesFor = (chosen: readonly StackStatus[]): StackStatus[] =>
  stackStatuses
    .filter((status) => !seldom.includes(status) || chosen.includes(status))
    .toSorted((a, b) => gravity(a) - gravity(b))

/** What is asked for with this status more, or without it. */
export const withStatus = ({ status: chosen = [] }: StackFilter, status: StackStatus): StackFilter => {
  const next = chosen.includes(status) ? chosen.filter((one) => one !== status) : [...chosen, status]
  return { status: next.length === 0 ? undefined : next }
}

/** As it is said. */
export const askedOf = ({ status, apply, ...filter }: StackFilter): Asked => ({
  ...filter,
  ...{ status: status?.join(', '), apply: apply?.join(', ') },
})

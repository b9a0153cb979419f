import { StackDetail } from '#api/repositories/stack.ts'
import { stackStatuses } from '#domain/run-status.ts'
import type { Flags } from '../command.ts'
import type { Column } from '../print/fitted-table.ts'
import { ago, idFor, paintOfStatus, pullCell } from './cells.ts'
import { listCommand } from './list.ts'

const filters = {
  repo: { says: 'stacks of this repository', value: 'OWNER/NAME' },
  q: { says: 'a text that is in the key, in any letter case', value: 'TEXT' },
  environment: { says: 'the environment that applies run under', value: 'NAME' },
  tag: { says: 'one of its tags', value: 'TAG' },
  status: {
    says: `in the newest run that has it; one or several, with commas between: ${stackStatuses.join(', ')}`,
    value: 'STATUS',
    among: stackStatuses,
  },
  apply: {
    says: 'in the newest apply that finished it, whatever was planned since; one or several, with commas between',
    value: 'STATUS',
    among: stackStatuses,
  },
  drifted: { says: 'whether it had drifted when it was last checked', value: 'true|false', among: ['true', 'false'] },
  locked: { says: 'whether it is locked', value: 'true|false', among: ['true', 'false'] },
  behind: { says: 'whether a module that it uses has a newer release', value: 'true|false', among: ['true', 'false'] },
} as const satisfies Flags

const drifted = ({ drift }: StackDetail, now: number): string => {
  if (drift === undefined) return ''
  return drift.drifted ? `since ${ago(drift.drifted_since ?? drift.checked_at, now).replace(' ago', '')}` : 'no'
}

const columns = ({ isTerminal, now }: { isTerminal: boolean; now: number }): readonly Column<StackDetail>[] => {
  const id = idFor(isTerminal)
  return [
    { heading: 'REPOSITORY', cell: ({ repo }) => repo },
    { heading: 'STACK', cell: ({ key }) => key },
    { heading: 'STATUS', cell: ({ status = '' }) => status, paint: ({ status }) => paintOfStatus(status), whole: true },
    { heading: 'ENVIRONMENT', cell: ({ environment = '' }) => environment },
    {
      heading: 'DRIFTED',
      cell: (stack) => drifted(stack, now),
      paint: ({ drift }) => (drift?.drifted ? 'red' : undefined),
      whole: true,
    },
    { heading: 'LOCKED BY', cell: ({ lock }) => pullCell(lock?.pr_number) || id(lock?.run_id), whole: true },
    { heading: 'APPLIED', cell: ({ last_apply: last }) => ago(last?.finished_at, now), whole: true },
  ]
}

/** `svc stacks`. */
export const stacks = listCommand({
  name: 'stacks',
  text: `By key: the stacks of the default branches, with their status in the newest run that has them. With --json it prints the API's own
answer to GET /v1/stacks.`,
  plural: 'stacks',
  path: '/v1/stacks',
  item: StackDetail,
  filters,
  columns,
})

import { Lock } from '#api/repositories/lock.ts'
import { heldStates } from '#domain/lock-state.ts'
import type { Flags } from '../command.ts'
import type { Column } from '../print/fitted-table.ts'
import { ago, idFor, pullCell } from './cells.ts'
import { listCommand } from './list.ts'

const filters = {
  repo: { says: 'locks of this repository', value: 'OWNER/NAME' },
  stack: { says: 'id of a stack', value: 'UUID' },
  q: { says: "a text that is in the stack's key, in any letter case", value: 'TEXT' },
  run: { says: 'id of a run: locks on its stacks, whoever holds them', value: 'UUID' },
  pr: { says: 'with --repo, a pull request: locks that it holds, and those that it waits for', value: 'NUMBER' },
  state: { says: `why it is still held: ${heldStates.join(', ')}`, value: 'STATE', among: heldStates },
} as const satisfies Flags

const waiting = ({ waiting = [], waiting_total: total }: Lock): string => {
  const named = waiting.map(({ pr_number: pull }) => pullCell(pull)).join(' ')
  return total > waiting.length ? `${named} and ${total - waiting.length} more` : named
}

const columns = ({ isTerminal, now }: { isTerminal: boolean; now: number }): readonly Column<Lock>[] => {
  const id = idFor(isTerminal)
  return [
    { heading: 'REPOSITORY', cell: ({ repo }) => repo },
    { heading: 'STACK', cell: ({ stack_key: key }) => key },
    {
      heading: 'STATE',
      cell: ({ state }) => state,
      paint: ({ state }) => (state === 'held.orphaned' ? 'red' : undefined),
      whole: true,
    },
    { heading: 'PULL', cell: ({ pr_number: pull }) => pullCell(pull), whole: true },
    { heading: 'RUN', cell: ({ run_id: run }) => id(run), whole: true },
    { heading: 'TAKEN', cell: ({ taken_at: at }) => ago(at, now), whole: true },
    { heading: 'WAITING', cell: waiting },
  ]
}

/** `svc locks`. */
export const locks = listCommand({
  name: 'locks',
  text: `The longest held first, with the pull requests that wait for them; svc unlock releases one. With --json it prints the API's own
answer to GET /v1/locks.`,
  plural: 'locks',
  path: '/v1/locks',
  item: Lock,
  filters,
  columns,
})

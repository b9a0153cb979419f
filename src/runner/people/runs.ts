import { Run } from '#api/runs/run.ts'
import { runModes, runStatuses } from '#domain/run-status.ts'
import type { Flags } from '../command.ts'
import type { Column } from '../print/fitted-table.ts'
import { ago, idFor, paintOfStatus, pullCell } from './cells.ts'
import { listCommand } from './list.ts'

const filters = {
  repo: { says: 'runs of this repository', value: 'OWNER/NAME' },
  status: {
    says: `one or several, with commas between: ${runStatuses.join(', ')}`,
    value: 'STATUS',
    among: runStatuses,
  },
  open: { says: 'true: runs that are not over', value: 'true|false', among: ['true', 'false'] },
  mode: { says: `one or several, with commas between: ${runModes.join(', ')}`, value: 'MODE', among: runModes },
  pr: { says: 'with --repo, the number of a pull request', value: 'NUMBER' },
  actor: { says: 'who asked for them: a login, apikey: and the name of a key, or system', value: 'NAME' },
} as const satisfies Flags

const columns = ({ isTerminal, now }: { isTerminal: boolean; now: number }): readonly Column<Run>[] => {
  const id = idFor(isTerminal)
  return [
    { heading: 'RUN', cell: (run) => id(run.id), whole: true },
    { heading: 'STATUS', cell: ({ status }) => status, paint: ({ status }) => paintOfStatus(status), whole: true },
    { heading: 'MODE', cell: ({ mode }) => mode, whole: true },
    { heading: 'REPOSITORY', cell: ({ repo }) => repo },
    { heading: 'PULL', cell: ({ pr_number: pull }) => pullCell(pull), whole: true },
    { heading: 'COMMIT', cell: ({ sha }) => sha.slice(0, 7), whole: true },
    { heading: 'WAVES', cell: ({ waves }) => String(waves), whole: true },
    { heading: 'BY', cell: ({ requested_by: by = '' }) => by },
    { heading: 'CREATED', cell: ({ created_at: at }) => ago(at, now), whole: true },
  ]
}

/** `svc runs`. */
export const runs = listCommand({
  name: 'runs',
  text: `Newest first, of all repositories or of one. On a terminal a run has the first 13 characters of its id, which svc run, gate and
rerun take; elsewhere the whole. With --json it prints the API's own answer to GET /v1/runs.`,
  plural: 'runs',
  path: '/v1/runs',
  item: Run,
  filters,
  columns,
})

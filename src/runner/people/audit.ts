import { AuditEntry } from '#api/audit.ts'
import type { Flags } from '../command.ts'
import type { Column } from '../print/fitted-table.ts'
import { listCommand } from './list.ts'

const filters = {
  actor: { says: 'login of a person, apikey: and the name of a key, or system', value: 'NAME' },
  action: { says: 'such as unlock or manual_apply', value: 'ACTION' },
  target: { says: 'the whole target, such as owner/name//key', value: 'TARGET' },
  repo: { says: 'entries of the repository and of what is in it', value: 'OWNER/NAME' },
  from: { says: 'entries from this time on, such as 2026-01-31T12:00:00Z', value: 'TIME' },
  to: { says: 'entries before this time', value: 'TIME' },
} as const satisfies Flags

const detail = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const details = ({ details = {} }: AuditEntry): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${detail(value)}`)
    .join(' ')

const columns = (): readonly Column<AuditEntry>[] => [
  { heading: 'AT', cell: ({ at }) => at.replace(/\.\d+Z$/, 'Z'), whole: true },
  { heading: 'ACTOR', cell: ({ actor }) => actor },
  { heading: 'ACTION', cell: ({ action }) => action, paint: () => 'cyan' },
  { heading: 'TARGET', cell: ({ target }) => target },
  { heading: 'DETAILS', cell: details },
]

/** `svc audit`. */
export const audit = listCommand({
  name: 'audit',
  text: `Newest first: who did what, and to what. With --json it prints the API's own answer to GET /v1/audit.`,
  plural: 'entries',
  path: '/v1/audit',
  item: AuditEntry,
  filters,
  columns,
})

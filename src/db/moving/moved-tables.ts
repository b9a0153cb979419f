import { type FragmentSqlToken, sql } from '../sql.ts'

type MovedTable = {
  /** Which of its rows belong to an installation; by `installation_id` if left out. */
  rows?: (installationId: number) => FragmentSqlToken
  /** For a table that refers to itself: what is referred to comes first. */
  order?: FragmentSqlToken
  /** Its rows may be long: as many are in memory at a time. */
  atATime?: 2 | 20 | 50
  /** The other service may have the same ones. */
  mayBeThere?: true
  /** A number that the other service gives them itself: rows of others have the same there, and are told apart by it. */
  numberedThere?: 'id'
}

/** An id as a part of a statement that takes no parameters. */
const literal = (id: number): FragmentSqlToken => sql.fragment`${sql.literalValue(String(id))}`

/**
 * Tables whose rows go along with an installation that moves to another service: what refers to another comes after it. A
 * test compares this list, and one of the tables that stay, with the schema.
 */
export const movedTables = {
  installations: { rows: (id) => sql.fragment`t.id = ${literal(id)}` },
  repositories: {},
  former_names: {
    rows: (id) => sql.fragment`t.repo_id in (select id from repositories where installation_id = ${literal(id)})`,
  },
  // hashes of what was used within ten minutes, of all installations: a token that is used up here is not to be used there
  used_tokens: { rows: () => sql.fragment`t.expires_at > now()`, mayBeThere: true },
  // up to 8 MB each
  graphs: { atATime: 2 },
  stacks: { atATime: 50 },
  pull_requests: {},
  runs: { order: sql.fragment`t.created_at, t.id` },
  run_stacks: {},
  // with plan texts of up to 256 KB
  results: { atATime: 50 },
  journal: {},
  checks: { atATime: 50 },
  check_runs: {},
  archived_runs: {},
  archived_stacks: {},
  stack_standings: {},
  dispatches: {},
  gate_decisions: { atATime: 50 },
  locks: {},
  lock_journal: {},
  publications: {},
  cross_repo_plans: {},
  external_edges: {},
  drift_checks: {},
  drift_states: {},
  drift_issues: {},
  modules: { order: sql.fragment`t.family_id is not null, t.id` },
  module_consumers: {},
  module_listings: {},
  module_tags: {},
  module_versions: {},
  run_counts: {},
  run_count_changes: {},
  stack_counts: {},
  stack_count_changes: {},
  comment_commands: {},
  content_writes: {},
  audit: {},
  timers: {},
  // with the bodies of webhooks
  jobs: { atATime: 20, numberedThere: 'id' },
} as const satisfies Record<string, MovedTable>

export type TableName = keyof typeof movedTables

export const movedTableNames = Object.keys(movedTables) as TableName[]

export const isMovedTable = (name: string): name is TableName => Object.hasOwn(movedTables, name)

/** The same, of one table. */
export const movedTable = (name: TableName): MovedTable => movedTables[name]

/** Which rows `t` of a table go along. */
export const isMoved = (name: TableName, installationId: number): FragmentSqlToken =>
  movedTable(name).rows?.(installationId) ?? sql.fragment`t.installation_id = ${literal(installationId)}`

/** Whether a table says itself whose its rows are. */
export const saysWhose = (name: TableName): boolean => movedTable(name).rows === undefined

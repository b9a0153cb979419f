/**
 * The tables that are divided by the month of the run, in the order in which they are locked, with the columns by which the rows of
 * a run are sorted, and their types.
 */
export const historyTables = {
  run_stacks: { stack_id: 'uuid' },
  results: { stack_id: 'uuid' },
  journal: { entry: 'int8' },
  checks: { stack_id: 'uuid', name: 'text' },
  check_runs: { name: 'text' },
} as const

export type HistoryTable = keyof typeof historyTables

export const historyTableNames = Object.keys(historyTables) as HistoryTable[]

/** The partition of a table that has a month, `run_stacks_2026_08`; what is in no month's is in `run_stacks_default`. */
export const partitionOf = (table: HistoryTable, month: string): string => `${table}_${month.replace('-', '_')}`

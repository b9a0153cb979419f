/**
 * The tables that are divided by the month of the run, in the order in which they are locked, with the columns by which the rows of
 * a run are sorted.
 */
export const historyTables = {
  run_stacks: ['stack_id'],
  results: ['stack_id'],
  journal: ['entry'],
  checks: ['stack_id', 'name'],
  check_runs: ['name'],
} as const

export type HistoryTable = keyof typeof historyTables

export const historyTableNames = Object.keys(historyTables) as HistoryTable[]

/** The partition of a table that has a month, `run_stacks_2026_08`; what is in no month's is in `run_stacks_default`. */
export const partitionOf = (table: HistoryTable, month: string): string => `${table}_${month.replace('-', '_')}`

import { useMemo } from 'react'
import type { RunRow } from '../api/run-types.ts'
import type { RunHead } from '../live/run-store.ts'
import { useRun } from './state/useRun.ts'

/** The run of the page, and its rows in their order. */
export const useRowsOfRun = (): { run: RunHead | undefined; rows: readonly RunRow[] } => {
  const { run, rows } = useRun()
  return { run, rows: useMemo(() => [...rows.values()], [rows]) }
}

import { useEffect, useRef } from 'react'
import type { ApiProblem } from '../../api/errors.ts'
import type { RunRow } from '../../api/run-types.ts'
import { readRunStack } from '../../api/runs.ts'
import { useLive } from '../../live/useLive.ts'
import { useRow, useRun } from './useRun.ts'

/**
 * A row with its texts and who waits for its lock, read again when the row changes, and now and then besides, since locks change
 * without it. Until it is there the row as the run has it.
 */
export const useWholeRow = (
  key: string,
): { row: RunRow | undefined; isWhole: boolean; problem: ApiProblem | undefined; tryNow: () => void } => {
  const known = useRow(key)
  const { run } = useRun()
  const { data, problem, liveness } = useLive({
    key: ['run-stack', run?.id ?? '', key],
    read: (signal) => readRunStack(run?.id ?? '', key, signal),
    pace: 'list',
    enabled: run !== undefined && known !== undefined,
  })
  const readFor = useRef(known)
  useEffect(() => {
    if (readFor.current === known) return
    readFor.current = known
    liveness.tryNow()
  })
  // the status is that of the board beside it, whichever answer was later
  const row = data && known ? { ...data, status: known.status } : (data ?? known)
  return { row, isWhole: data !== undefined, problem, tryNow: liveness.tryNow }
}

import { useQuery } from '@tanstack/react-query'
import type { RunRow } from '../../api/run-types.ts'
import { readRun } from '../../api/runs.ts'
import { useRun } from './useRun.ts'

type Summary = NonNullable<RunRow['summary']>

/**
 * What the plan of an apply says of each stack, by key: a row of the apply has numbers of its own only once it is applied. The plan run
 * is over, so it is read once.
 */
export const usePlanned = (): ReadonlyMap<string, Summary> | undefined => {
  const { run } = useRun()
  const planRunId = run?.mode === 'apply' ? run.plan_run_id : undefined
  const { data } = useQuery({
    queryKey: ['planned', planRunId ?? ''],
    queryFn: async ({ signal }) => {
      const { stacks = [] } = await readRun(planRunId ?? '', undefined, signal)
      return new Map(stacks.flatMap(({ key, summary }) => (summary ? [[key, summary]] : [])))
    },
    // a map is compared as a whole anyway
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: planRunId !== undefined,
  })
  return data
}

/** Of a row: its own numbers, else those of its plan, unless it goes by another plan than most. */
export const summaryOf = (
  row: RunRow,
  planned: Summary | undefined,
  planRunId: string | undefined,
): Summary | undefined => row.summary ?? (row.plan_run_id === planRunId ? planned : undefined)

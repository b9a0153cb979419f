import { useQuery } from '@tanstack/react-query'
import type { ApiProblem } from '../../api/errors.ts'
import type { RunRow } from '../../api/run-types.ts'
import { readRun } from '../../api/runs.ts'
import { whyUnanswered } from '../../live/failures.ts'
import { useRun } from './useRun.ts'

type Summary = NonNullable<RunRow['summary']>

/** What the plan of an apply says of each stack, by key. */
export type Summaries = ReadonlyMap<string, Summary>

export type Planned = {
  /** Undefined where there is no other plan, and until it is read. */
  summaries: Summaries | undefined
  /** There is one, and nothing is known of it yet. */
  isReading: boolean
  /** Why it is not read. */
  problem: ApiProblem | undefined
  tryNow(): void
}

/** The plan of an apply: a row has numbers of its own only once it is applied. The plan run is over, so it is read once. */
export const usePlanned = (): Planned => {
  const { run } = useRun()
  const planRunId = run?.mode === 'apply' ? run.plan_run_id : undefined
  const key = ['planned', planRunId ?? '']
  const { data, refetch } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const { stacks = [] } = await readRun(planRunId ?? '', undefined, signal)
      return new Map(stacks.flatMap(({ key, summary }) => (summary ? [[key, summary]] : [])))
    },
    // a map is compared as a whole anyway
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: planRunId !== undefined,
    notifyOnChangeProps: ['data', 'error'],
  })
  const problem = whyUnanswered(key, data)
  return {
    summaries: data,
    isReading: planRunId !== undefined && data === undefined && problem === undefined,
    problem,
    tryNow: () => void refetch(),
  }
}

/** Of a row: its own numbers, else those of its plan, unless it goes by another plan than most. */
export const summaryOf = (
  row: RunRow,
  planned: Summary | undefined,
  planRunId: string | undefined,
): Summary | undefined => row.summary ?? (row.plan_run_id === planRunId ? planned : undefined)

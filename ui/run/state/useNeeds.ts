import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readRunGraph } from '../../api/graph.ts'
import { type Needs, needsOf } from './ordering.ts'
import { useRun } from './useRun.ts'

/** What the stacks of the run need, by the graph that it was resolved from: asked for once, when something shows it. */
export const useNeeds = (): Needs | undefined => {
  const { run } = useRun()
  const { data } = useQuery({
    queryKey: ['run-graph', run?.id ?? ''],
    queryFn: ({ signal }) => readRunGraph(run?.repo ?? '', run?.id ?? '', signal),
    // a second upload of the graph begins the rows anew, and the page is then seldom open long
    staleTime: Number.POSITIVE_INFINITY,
    enabled: run !== undefined,
  })
  return useMemo(() => data && needsOf(data), [data])
}

import { useQuery } from '@tanstack/react-query'
import { asProblem } from '../api/errors.ts'
import type { RunRow } from '../api/run-types.ts'
import { readRunText } from '../api/runs.ts'
import { mayHaveText, type TextState, textState } from './text-state.ts'

/** The text of a stack's plan, read once: only a late result brings another. */
export const useText = (run: string, row: RunRow, isWhole: boolean): { text: TextState; readAgain(): void } => {
  const { key, finished_at, status } = row
  const { data, error, refetch } = useQuery({
    queryKey: ['run-stack-text', run, key, finished_at ?? '', status],
    queryFn: ({ signal }) => readRunText(run, key, signal),
    enabled: isWhole && mayHaveText(row),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const text = isWhole ? textState(row, data, error ? asProblem(error) : undefined) : { is: 'loading' as const }
  return { text, readAgain: () => void refetch() }
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiProblem } from '../api/errors.ts'
import { failures, whyUnanswered } from './failures.ts'
import { nextDelay, type Pace } from './rhythm.ts'

/** How current a view is. Times are of this machine's clock, in milliseconds. */
export type Liveness = {
  /** When what is shown last changed; 0 before there is anything. */
  changedAt: number
  /** When the service last answered with what is shown; 0 where nothing is. */
  answeredAt: number
  isAsking: boolean
  tryNow(): void
}

export type Live<T> = {
  /** What was answered last; it stays while it is refreshed, and while the service is away. */
  data: T | undefined
  /** Why there is nothing to show. Undefined once there is something, unless that is gone for who asks: then it is not to be shown any more. */
  problem: ApiProblem | undefined
  liveness: Liveness
}

type Question<T> = {
  /** Names the question: equal keys share an answer. */
  key: readonly (string | number)[]
  read(signal: AbortSignal): Promise<T>
  pace: Pace | ((data: T) => Pace)
  /** False: not asked now. */
  enabled?: boolean
  /** What is known before the first answer, and since when: it is asked for again, and is not live where that goes unanswered. */
  known?: { data: T; answeredAt: number } | undefined
}

/**
 * Asks in the rhythm of what is shown: nothing while the page is hidden, and at once when it is shown again. Parts of the answer
 * that are as before stay the very same objects, so what is drawn from them need not be drawn again.
 */
export const useLive = <T>({ key, read, pace, enabled = true, known }: Question<T>): Live<T> => {
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => read(signal),
    enabled,
    ...(known && { initialData: known.data, initialDataUpdatedAt: known.answeredAt }),
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    refetchInterval: ({ state, queryHash }) => {
      const now = typeof pace === 'string' ? pace : state.data === undefined ? 'list' : pace(state.data)
      return nextDelay(now, failures.of(queryHash))
    },
  })
  const { dataUpdatedAt, isFetching, refetch } = query
  const problem = whyUnanswered(key, query.data)
  const data = problem === undefined ? query.data : undefined
  const [shown, setShown] = useState({ data, changedAt: dataUpdatedAt })
  if (shown.data !== data) setShown({ data, changedAt: dataUpdatedAt })
  return {
    data,
    problem,
    liveness: {
      changedAt: shown.changedAt,
      answeredAt: problem === undefined ? dataUpdatedAt : 0,
      isAsking: isFetching,
      tryNow: () => void refetch(),
    },
  }
}

import { QueryCache, QueryClient } from '@tanstack/react-query'
import { asProblem, isPassing } from '../api/errors.ts'
import { failures } from './failures.ts'
import { nextDelay } from './rhythm.ts'

/** What was asked and answered. `onSignedOut` is called for every answer that says that nobody is signed in. */
export const createQueryClient = (onSignedOut: () => void): QueryClient => {
  const queryCache = new QueryCache({
    onSuccess: (_data, { queryHash }) => failures.forget(queryHash),
    onError: (error, { queryHash }) => {
      const problem = asProblem(error)
      failures.failed(queryHash, { spread: Math.random(), problem, at: Date.now() })
      if (problem.status === 401) onSignedOut()
    },
  })
  queryCache.subscribe(({ type, query }) => type === 'removed' && failures.forget(query.queryHash))
  return new QueryClient({
    queryCache,
    defaultOptions: {
      // what asks again is the rhythm of the view (rhythm.ts), so nothing retries beside it
      queries: {
        ...{ retry: false, staleTime: 1000, gcTime: 300_000, networkMode: 'always' },
        refetchInterval: afterFailure,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

type Asked = { queryHash: string; state: { error: unknown } }

/** What is read once is read again only after a failure, and only one that passes. */
export const afterFailure = ({ queryHash, state }: Asked): number | false => {
  if (state.error === null || !isPassing(asProblem(state.error))) return false
  // asked before the first failure is noted, and after
  return nextDelay('waiting', failures.of(queryHash) ?? { inARow: 1, spread: 0.5 })
}

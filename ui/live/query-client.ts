import { QueryCache, QueryClient } from '@tanstack/react-query'
import { asProblem } from '../api/errors.ts'
import { failures } from './failures.ts'

/** What was asked and answered. `onSignedOut` is called for every answer that says that nobody is signed in. */
export const createQueryClient = (onSignedOut: () => void): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onSuccess: (_data, { queryHash }) => failures.answered(queryHash),
      onError: (error, { queryHash }) => {
        failures.failed(queryHash, Math.random())
        if (asProblem(error).status === 401) onSignedOut()
      },
    }),
    defaultOptions: {
      // what asks again is the rhythm of the view (rhythm.ts), so nothing retries beside it
      queries: { retry: false, staleTime: 1000, gcTime: 300_000, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })

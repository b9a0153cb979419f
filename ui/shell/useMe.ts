import { useQuery } from '@tanstack/react-query'
import { readMe, type Whoami } from '../api/me.ts'

/** Who is signed in: read once, since signing in again loads the page anew. Undefined until it is known. */
export const useMe = (enabled = true): Whoami | undefined =>
  useQuery({ queryKey: ['me'], queryFn: ({ signal }) => readMe(signal), staleTime: Number.POSITIVE_INFINITY, enabled })
    .data

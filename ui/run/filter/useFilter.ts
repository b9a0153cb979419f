import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { Filter } from './filter.ts'

const route = getRouteApi('/runs/$id')

/** Which stacks the board shows, kept in the address. */
export const useFilter = () => {
  const { status, q } = route.useSearch()
  const navigate = route.useNavigate()
  const set = useCallback(
    (next: Filter) =>
      void navigate({ to: '.', search: (search) => ({ ...search, ...next }), replace: true, resetScroll: false }),
    [navigate],
  )
  const statuses = status?.join(',')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is another one with each change of the address, its content counts
  const filter = useMemo<Filter>(() => ({ status, q }), [statuses, q])
  return { filter, set, clear: useCallback(() => set({ status: undefined, q: undefined }), [set]) }
}

import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { readLocks } from '../api/locks.ts'
import { readRepositories } from '../api/repositories.ts'
import { ListHead } from '../list/ListHead.tsx'
import { useLive } from '../live/useLive.ts'
import { useTitle } from '../shell/useTitle.ts'
import { sizeOf } from './board.ts'
import { LockFilters } from './LockFilters.tsx'
import { Locks } from './Locks.tsx'

const route = getRouteApi('/locks')

type Search = ReturnType<typeof route.useSearch>

/** Every lock that is held: orphaned ones first, then those that others wait for, then the rest. */
export const LocksPage = () => {
  const { repo, q, state: states = [] } = route.useSearch()
  const navigate = route.useNavigate()
  useTitle('Locks')
  const repositories = useQuery({ queryKey: ['repositories'], queryFn: ({ signal }) => readRepositories(signal) })
  const live = useLive({
    key: ['locks', repo ?? '', q ?? ''],
    read: (signal) => readLocks({ repo, q }, signal),
    pace: 'list',
  })
  const set = (next: Search): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  const { data } = live
  return (
    <>
      <ListHead
        title="Locks"
        liveness={live.liveness}
        size={data && sizeOf(data.items, data.next_cursor === undefined)}
      />
      <LockFilters
        locks={data?.items ?? []}
        chosen={states}
        setStates={(state) => set({ state })}
        q={q}
        setWords={(q) => set({ q })}
        repository={{
          name: repo,
          set: (repo) => set({ repo }),
          all: repositories.data?.items.map(({ full_name: name }) => name) ?? [],
        }}
      />
      <Locks
        live={live}
        states={states}
        asked={{ q, repo }}
        remove={(name) =>
          set(name === undefined ? { repo: undefined, q: undefined, state: undefined } : { [name]: undefined })
        }
      />
    </>
  )
}

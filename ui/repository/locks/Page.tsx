import { getRouteApi } from '@tanstack/react-router'
import { readLocks } from '../../api/locks.ts'
import { useLive } from '../../live/useLive.ts'
import { LockFilters } from '../../locks/LockFilters.tsx'
import { Locks } from '../../locks/Locks.tsx'

const route = getRouteApi('/repos/$owner/$repo/locks')

type Search = ReturnType<typeof route.useSearch>

/** The lock board of a repository. */
export const RepositoryLocksTab = () => {
  const { owner, repo } = route.useParams()
  const { q, state: states = [] } = route.useSearch()
  const name = `${owner}/${repo}`
  const navigate = route.useNavigate()
  const live = useLive({
    key: ['locks', name, q ?? ''],
    read: (signal) => readLocks({ repo: name, q }, signal),
    pace: 'list',
  })
  const set = (next: Search): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  return (
    <>
      <LockFilters
        locks={live.data?.items ?? []}
        chosen={states}
        setStates={(state) => set({ state })}
        q={q}
        setWords={(q) => set({ q })}
      />
      <Locks
        live={live}
        states={states}
        asked={{ q }}
        remove={(of) => set(of === undefined ? { q: undefined, state: undefined } : { [of]: undefined })}
        ofOne
      />
    </>
  )
}

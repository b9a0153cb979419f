import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { readRepositories } from '../api/repositories.ts'
import { type RunFilter, readRuns } from '../api/runs.ts'
import { ListBody } from '../list/ListBody.tsx'
import { ListHead } from '../list/ListHead.tsx'
import { useLiveList } from '../live/useLiveList.ts'
import { many } from '../parts/words.ts'
import { useTitle } from '../shell/useTitle.ts'
import { askedOf, filterOf } from './filter.ts'
import { NoRuns } from './NoRuns.tsx'
import { RunFilters } from './RunFilters.tsx'
import { RunTable } from './RunTable.tsx'

const route = getRouteApi('/runs')

/** Every run of every repository that one sees, newest first, by what is asked for. */
export const RunsPage = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  useTitle('Runs')
  const filter = filterOf(search, search.repo)
  const repositories = useQuery({ queryKey: ['repositories'], queryFn: ({ signal }) => readRepositories(signal) })
  const list = useLiveList({
    key: ['runs', JSON.stringify(filter)],
    read: (part, signal) => readRuns(filter, part, signal),
    idOf: ({ id }) => id,
  })
  const set = (next: RunFilter): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  return (
    <>
      <ListHead
        title="Runs"
        liveness={list.liveness}
        size={list.page?.total !== undefined && many(list.page.total, 'run')}
      />
      <RunFilters
        filter={filter}
        set={set}
        repositories={repositories.data?.items.map(({ full_name: name }) => name) ?? []}
      />
      <ListBody
        list={list}
        what="the runs"
        asked={askedOf(filter)}
        remove={(name) =>
          void navigate({
            search: (before) => (name === undefined ? {} : { ...before, [name]: undefined }),
            replace: true,
            resetScroll: false,
          })
        }
        empty={<NoRuns />}
      >
        {(rows) => <RunTable rows={rows} />}
      </ListBody>
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { readRepositories } from '../api/repositories.ts'
import { ListHead } from '../list/ListHead.tsx'
import { many } from '../parts/words.ts'
import { useTitle } from '../shell/useTitle.ts'
import { filterOf } from './filter.ts'
import { ListedRuns, useRuns } from './ListedRuns.tsx'

const route = getRouteApi('/runs')

/** Every run of every repository that one sees, newest first, by what is asked for. */
export const RunsPage = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  useTitle('Runs')
  const filter = filterOf(search, search.repo)
  const repositories = useQuery({ queryKey: ['repositories'], queryFn: ({ signal }) => readRepositories(signal) })
  const list = useRuns(filter)
  return (
    <>
      <ListHead
        title="Runs"
        liveness={list.liveness}
        size={list.page?.total !== undefined && many(list.page.total, 'run')}
      />
      <ListedRuns
        list={list}
        filter={filter}
        ask={(change) => void navigate({ search: change, replace: true, resetScroll: false })}
        repositories={repositories.data?.items.map(({ full_name: name }) => name) ?? []}
      />
    </>
  )
}

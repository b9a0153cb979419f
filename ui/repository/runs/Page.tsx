import { getRouteApi } from '@tanstack/react-router'
import { filterOf } from '../../runs/filter.ts'
import { ListedRuns, useRuns } from '../../runs/ListedRuns.tsx'

const route = getRouteApi('/repos/$owner/$repo/runs')

/** The runs of a repository, newest first. */
export const RepositoryRunsTab = () => {
  const { owner, repo } = route.useParams()
  const navigate = route.useNavigate()
  const filter = filterOf(route.useSearch(), `${owner}/${repo}`)
  return (
    <ListedRuns
      list={useRuns(filter)}
      filter={filter}
      ask={(change) => void navigate({ search: change, replace: true, resetScroll: false })}
      ofOne
    />
  )
}

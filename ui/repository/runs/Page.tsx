import { getRouteApi } from '@tanstack/react-router'
import { type RunFilter, readRuns } from '../../api/runs.ts'
import { ListBody } from '../../list/ListBody.tsx'
import { useLiveList } from '../../live/useLiveList.ts'
import { askedOf, filterOf } from '../../runs/filter.ts'
import { NoRuns } from '../../runs/NoRuns.tsx'
import { RunFilters } from '../../runs/RunFilters.tsx'
import { RunTable } from '../../runs/RunTable.tsx'

const route = getRouteApi('/repos/$owner/$repo/runs')

/** The runs of a repository, newest first. */
export const RepositoryRunsTab = () => {
  const { owner, repo } = route.useParams()
  const name = `${owner}/${repo}`
  const navigate = route.useNavigate()
  const filter = filterOf(route.useSearch(), name)
  const { repo: _, ...asked } = filter
  const list = useLiveList({
    key: ['runs', JSON.stringify(filter)],
    read: (part, signal) => readRuns(filter, part, signal),
    idOf: ({ id }) => id,
  })
  const set = (next: RunFilter): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  return (
    <>
      <RunFilters filter={filter} set={set} />
      <ListBody
        list={list}
        what="the runs"
        asked={askedOf(asked)}
        remove={(one) =>
          void navigate({
            search: (before) => (one === undefined ? {} : { ...before, [one]: undefined }),
            replace: true,
            resetScroll: false,
          })
        }
        empty={<NoRuns />}
      >
        {(rows) => <RunTable rows={rows} ofOne />}
      </ListBody>
    </>
  )
}

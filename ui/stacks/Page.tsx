import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { readRepositories, type StackDetail } from '../api/repositories.ts'
import { readStacksBy } from '../api/stacks.ts'
import { ListBody } from '../list/ListBody.tsx'
import { ListHead } from '../list/ListHead.tsx'
import { useLiveList } from '../live/useLiveList.ts'
import { Empty } from '../parts/feedback/Empty.tsx'
import { many } from '../parts/words.ts'
import { useTitle } from '../shell/useTitle.ts'
import { Table } from '../table/Table.tsx'
import { columns } from './columns.tsx'
import { askedOf } from './filter.ts'
import { StackFilters } from './StackFilters.tsx'

const route = getRouteApi('/stacks')

/** The stacks of every repository that one sees, by what is asked for: each as its newest run left it. */
export const StacksPage = () => {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  useTitle('Stacks')
  const repositories = useQuery({ queryKey: ['repositories'], queryFn: ({ signal }) => readRepositories(signal) })
  const list = useLiveList({
    key: ['stacks', JSON.stringify(filter)],
    read: (part, signal) => readStacksBy(filter, part, signal),
    idOf: ({ id }) => id,
  })
  const ask = (change: (before: typeof filter) => typeof filter): void =>
    void navigate({ search: change, replace: true, resetScroll: false })
  const open = ({ id }: StackDetail): void => void navigate({ to: '/stacks/$id', params: { id } })
  return (
    <>
      <ListHead
        title="Stacks"
        liveness={list.liveness}
        size={list.page?.total !== undefined && many(list.page.total, 'stack')}
      />
      <StackFilters
        filter={filter}
        set={(next) => ask((before) => ({ ...before, ...next }))}
        repositories={repositories.data?.items.map(({ full_name: name }) => name) ?? []}
      />
      <ListBody
        list={list}
        what="the stacks"
        asked={askedOf(filter)}
        remove={(name) => ask((before) => (name === undefined ? {} : { ...before, [name]: undefined }))}
        empty={
          <Empty why="No default branch has a stack that is known yet. They are, once a pull request with a graph is merged." />
        }
      >
        {(rows) => <Table label="Stacks" columns={columns} rows={rows} keyOf={({ id }) => id} open={open} />}
      </ListBody>
    </>
  )
}

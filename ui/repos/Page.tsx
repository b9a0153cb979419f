import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useMemo } from 'react'
import { type RepoSummary, readAllRepositories } from '../api/repositories.ts'
import { hasWords } from '../list/has-words.ts'
import { ListHead } from '../list/ListHead.tsx'
import { ListProblem } from '../list/ListProblem.tsx'
import { Removable } from '../list/Removable.tsx'
import { Words } from '../list/Words.tsx'
import { useLive } from '../live/useLive.ts'
import { Empty } from '../parts/feedback/Empty.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { ownerAndRepo } from '../parts/owner-and-repo.ts'
import { many } from '../parts/words.ts'
import { useTitle } from '../shell/useTitle.ts'
import { Table } from '../table/Table.tsx'
import { columns } from './columns.tsx'
import '../parts/box.css'
import '../list/list.css'

const route = getRouteApi('/repos')

/** From so many on there is a field to find one. */
const findFrom = 10

/** The repositories that have the app, and that one sees. */
export const RepositoriesPage = () => {
  const { q, sort } = route.useSearch()
  const navigate = route.useNavigate()
  useTitle('Repositories')
  const { data, problem, liveness } = useLive({ key: ['all repositories'], read: readAllRepositories, pace: 'list' })
  const set = (next: { q?: string | undefined; sort?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  const all = data?.items
  const wanted = useDeferredValue(q)
  const rows = useMemo(() => all?.filter(({ full_name: name }) => hasWords(name, wanted)), [all, wanted])
  return (
    <>
      <ListHead title="Repositories" liveness={liveness} size={all && sizeOf(all)} />
      {((all?.length ?? 0) >= findFrom || q !== undefined) && (
        <div className="list-tools">
          <Words label="Find a repository" text={q} set={(q) => set({ q })} />
        </div>
      )}
      {problem && (
        <ListProblem {...{ problem }} what="the repositories" asked={{}} remove={() => {}} tryAgain={liveness.tryNow} />
      )}
      {!problem && rows === undefined && <Skeleton lines={8} />}
      {all?.length === 0 && (
        <Empty why="No repository has the app, or none that you may read. Install the app on a repository at the code host." />
      )}
      {all !== undefined && all.length > 0 && rows?.length === 0 && (
        <Empty why={`No repository has “${q}” in its name.`}>
          <Removable asked={{ q }} remove={() => set({ q: undefined })} />
        </Empty>
      )}
      {rows !== undefined && rows.length > 0 && (
        <Repositories rows={rows} sort={sort} onSort={(sort) => set({ sort })} />
      )}
    </>
  )
}

type RepositoriesProps = { rows: RepoSummary[]; sort: string | undefined; onSort: (sort: string | undefined) => void }

const Repositories = ({ rows, sort, onSort }: RepositoriesProps) => {
  const navigate = useNavigate()
  const open = ({ full_name: name }: RepoSummary): void => {
    void navigate({ to: '/repos/$owner/$repo', params: ownerAndRepo(name) })
  }
  return (
    <div className="box list repos">
      <Table
        label="Repositories"
        columns={columns}
        rows={rows}
        keyOf={({ id }) => String(id)}
        sort={sort}
        onSort={onSort}
        open={open}
      />
    </div>
  )
}

const sizeOf = (all: readonly RepoSummary[]): string => {
  const sum = (of: (one: RepoSummary) => number): number => all.reduce((total, one) => total + of(one), 0)
  return [
    many(all.length, 'repository', 'repositories'),
    many(
      sum(({ stacks }) => stacks),
      'stack',
    ),
    `${sum(({ drifted }) => drifted)} drifted`,
    `${many(
      sum(({ locks_held: held }) => held),
      'lock',
    )} held`,
  ].join(' · ')
}

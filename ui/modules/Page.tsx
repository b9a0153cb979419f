import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useMemo } from 'react'
import { type ModuleDetail, readModules } from '../api/modules.ts'
import { hasWords } from '../list/has-words.ts'
import { ListHead } from '../list/ListHead.tsx'
import { ListProblem } from '../list/ListProblem.tsx'
import { Removable } from '../list/Removable.tsx'
import { Words } from '../list/Words.tsx'
import { useLive } from '../live/useLive.ts'
import { Empty } from '../parts/feedback/Empty.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { many } from '../parts/words.ts'
import { useTitle } from '../shell/useTitle.ts'
import { Table } from '../table/Table.tsx'
import { columns } from './columns.tsx'
import '../parts/box.css'
import '../list/list.css'

const route = getRouteApi('/modules')

type Search = ReturnType<typeof route.useSearch>

/** Counts change with merges and tags: no need to ask more often. */
const pace = 'over'

/** The modules that stacks use, and how many of them are behind. */
export const ModulesPage = () => {
  const { q, sort } = route.useSearch()
  const navigate = route.useNavigate()
  useTitle('Modules')
  const { data, problem, liveness } = useLive({ key: ['modules'], read: readModules, pace })
  const set = (next: Search): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  const all = data?.items
  const wanted = useDeferredValue(q)
  const rows = useMemo(() => all?.filter(({ key }) => hasWords(key, wanted)).toSorted(furthestFirst), [all, wanted])
  return (
    <>
      <ListHead title="Modules" liveness={liveness} size={all && sizeOf(all)} />
      {all !== undefined && (all.length > 0 || q !== undefined) && (
        <div className="list-tools">
          <Words label="Find a module" text={q} set={(q) => set({ q })} />
        </div>
      )}
      {problem && (
        <ListProblem {...{ problem }} what="the modules" asked={{}} remove={() => {}} tryAgain={liveness.tryNow} />
      )}
      {!problem && rows === undefined && <Skeleton lines={8} />}
      {all?.length === 0 && (
        <Empty why="No stack of a default branch uses a module that you may see. Modules are listed once a pull request whose stacks use them is merged." />
      )}
      {all !== undefined && all.length > 0 && rows?.length === 0 && (
        <Empty why={`No module has “${q}” in its key.`}>
          <Removable asked={{ q }} remove={() => set({ q: undefined })} />
        </Empty>
      )}
      {rows !== undefined && rows.length > 0 && <Modules rows={rows} sort={sort} onSort={(sort) => set({ sort })} />}
      {data?.next_cursor !== undefined && (
        <p className="quiet small">There are more modules: these are the first by key.</p>
      )}
    </>
  )
}

type ModulesProps = { rows: ModuleDetail[]; sort: string | undefined; onSort: (sort: string | undefined) => void }

const Modules = ({ rows, sort, onSort }: ModulesProps) => {
  const navigate = useNavigate()
  return (
    <div className="box list">
      <Table
        label="Modules"
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        sort={sort}
        onSort={onSort}
        open={({ id }) => void navigate({ to: '/modules/$id', params: { id } })}
      />
    </div>
  )
}

/** Most stacks behind first; of those with as many, by key, as they come. */
const furthestFirst = ({ counts: a }: ModuleDetail, { counts: b }: ModuleDetail): number =>
  (b?.behind ?? 0) - (a?.behind ?? 0)

const sizeOf = (all: readonly ModuleDetail[]): string => {
  const behind = all.filter(({ counts }) => (counts?.behind ?? 0) > 0).length
  return `${many(all.length, 'module')} · ${behind} with stacks that are behind`
}

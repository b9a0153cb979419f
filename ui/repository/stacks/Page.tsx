import { getRouteApi, Link } from '@tanstack/react-router'
import { useDeferredValue, useMemo } from 'react'
import type { StackDetail } from '../../api/repositories.ts'
import { hasWords } from '../../list/has-words.ts'
import { ListProblem } from '../../list/ListProblem.tsx'
import { Removable } from '../../list/Removable.tsx'
import { Empty } from '../../parts/feedback/Empty.tsx'
import { Skeleton } from '../../parts/feedback/Skeleton.tsx'
import { Table } from '../../table/Table.tsx'
import { columns } from './columns.tsx'
import { StackTools } from './StackTools.tsx'
import { type Standing, standingOf } from './standing.ts'
import { useStacks } from './useStacks.ts'
import '../../parts/box.css'
import '../../list/list.css'

const route = getRouteApi('/repos/$owner/$repo/')

type Search = ReturnType<typeof route.useSearch>

/** The stacks of a repository as they stand: each by the gravest of its last apply, its last plan and its drift. */
export const StacksTab = () => {
  const { owner, repo } = route.useParams()
  const { q, sort, status, drifted, unrun } = route.useSearch()
  const navigate = route.useNavigate()
  const { page, isReading, problem, tryNow } = useStacks(owner, repo)
  const set = (next: Search): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  const chosen = useMemo<Standing[]>(
    () => [...(status ?? []), ...(drifted ? (['drifted'] as const) : []), ...(unrun ? (['new'] as const) : [])],
    [status, drifted, unrun],
  )
  const wanted = useDeferredValue(q)
  const all = page?.items
  const rows = useMemo(
    () =>
      all?.filter(
        (stack) => hasWords(stack.key, wanted) && (chosen.length === 0 || chosen.includes(standingOf(stack))),
      ),
    [all, wanted, chosen],
  )
  if (problem) {
    return <ListProblem problem={problem} what="the stacks" asked={{}} remove={() => {}} tryAgain={tryNow} />
  }
  if (all === undefined || rows === undefined) return <Skeleton lines={8} />
  if (all.length === 0) {
    return (
      <Empty why="The default branch has no stack that is known yet. They are, once a pull request with a graph is merged." />
    )
  }
  const clear = (): void => set({ q: undefined, status: undefined, drifted: undefined, unrun: undefined })
  return (
    <>
      <StackTools all={all} chosen={chosen} q={q} set={set} clear={clear} />
      {page?.next_cursor !== undefined && (
        <Part count={all.length} total={page.total} isReading={isReading} repository={`${owner}/${repo}`} />
      )}
      {rows.length === 0 && isReading && <Skeleton lines={8} />}
      {rows.length === 0 && !isReading && (
        <Empty why="No stack is as these filters say.">
          <Removable
            asked={{ q, status: status?.join(', '), drifted, unrun }}
            remove={(name) => (name === undefined ? clear() : set({ [name]: undefined }))}
          />
        </Empty>
      )}
      {rows.length > 0 && <StackTable rows={rows} sort={sort} onSort={(sort) => set({ sort })} />}
    </>
  )
}

type PartProps = { count: number; total: number | undefined; isReading: boolean; repository: string }

/** Says which of very many stacks are here, and where the others are. */
const Part = ({ count, total, isReading, repository }: PartProps) => (
  <p className="list-by quiet small">
    {isReading ? (
      `Reading: ${count} of ${total ?? 'more'} stacks are here.`
    ) : (
      <>
        These are the first {count} of {total ?? 'more'} stacks by key.{' '}
        <Link to="/stacks" search={{ repo: repository }}>
          Find others
        </Link>
      </>
    )}
  </p>
)

type StackTableProps = { rows: StackDetail[]; sort: string | undefined; onSort: (sort: string | undefined) => void }

const StackTable = ({ rows, sort, onSort }: StackTableProps) => {
  const navigate = route.useNavigate()
  /** The run that says most of it: its last apply, or else its last plan. */
  const open = ({ key: stack, last_apply: apply, last_plan: plan }: StackDetail): void => {
    const id = (apply ?? plan)?.run_id
    if (id !== undefined) void navigate({ to: '/runs/$id', params: { id }, search: { stack } })
  }
  return (
    <div className="box list">
      <Table
        label="Stacks"
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        sort={sort}
        onSort={onSort}
        open={open}
      />
    </div>
  )
}

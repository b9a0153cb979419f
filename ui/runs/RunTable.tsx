import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Run } from '../api/runs.ts'
import { Duration, Time } from '../parts/text/Time.tsx'
import { runName } from '../run/run-name.ts'
import { Status } from '../status/Status.tsx'
import { runLook } from '../status/table.ts'
import type { Column } from '../table/column.ts'
import { Table } from '../table/Table.tsx'
import { askedBy } from './run-words.ts'
import './runs.css'

const isUnderWay = ({ finished_at: finished }: Run): boolean => finished === undefined

const Name = ({ run, withRepository }: { run: Run; withRepository: boolean }) => (
  <>
    <Link to="/runs/$id" params={{ id: run.id }} tabIndex={-1} className="row-name">
      {runName(run)}
    </Link>
    {run.pr_title !== undefined && (
      <span className="quiet no-phone">
        {' '}
        <bdi>{run.pr_title}</bdi>
      </span>
    )}
    {isUnderWay(run) && run.mode === 'apply' && run.waves > 1 && (
      <span className="quiet small no-phone">
        {' '}
        wave {run.current_wave + 1} of {run.waves}
      </span>
    )}
    <span className="second">
      {[withRepository ? run.repo : undefined, askedBy(run)].filter((part) => part !== undefined).join(', ')},{' '}
      <Time at={run.created_at} focusable={false} />
    </span>
  </>
)

const Took = ({ run }: { run: Run }) => <Duration from={run.started_at ?? run.created_at} to={run.finished_at} />

const columns: Column<Run>[] = [
  {
    id: 'status',
    head: 'Status',
    className: 'runs-status',
    cell: (run) => <Status look={runLook(run.status, run.mode)} />,
  },
  { id: 'run', head: 'Run', className: 'runs-run', cell: (run) => <Name run={run} withRepository={false} /> },
  {
    id: 'commit',
    head: 'Commit',
    className: 'no-phone',
    cell: ({ sha }) => <code className="quiet">{sha.slice(0, 7)}</code>,
  },
  { id: 'by', head: 'By', className: 'no-phone', cell: askedBy },
  {
    id: 'began',
    head: 'Began',
    className: 'number no-phone',
    cell: (run) => <Time at={run.created_at} focusable={false} />,
  },
  { id: 'took', head: 'Took', className: 'number no-phone', cell: (run) => <Took run={run} /> },
]

const withRepository: Column<Run>[] = columns.flatMap((column) => {
  if (column.id !== 'run') return [column]
  const named = { ...column, cell: (run: Run) => <Name run={run} withRepository /> }
  return [named, { id: 'repo', head: 'Repository', className: 'no-phone', cell: ({ repo }) => repo }]
})

type RunTableProps = {
  rows: readonly Run[] /** They are all of one repository, which the page names. */
  ofOne?: boolean
}

/** Runs, a row each; Enter and a click open one. */
export const RunTable = ({ rows, ofOne = false }: RunTableProps) => {
  const navigate = useNavigate()
  const open = useMemo(
    () =>
      ({ id }: Run) =>
        void navigate({ to: '/runs/$id', params: { id } }),
    [navigate],
  )
  return (
    <Table label="Runs" columns={ofOne ? columns : withRepository} rows={rows} keyOf={({ id }) => id} open={open} />
  )
}

import { Link, useNavigate } from '@tanstack/react-router'
import type { RunHead } from '../../live/run-store.ts'
import { Key } from '../../parts/text/Key.tsx'
import { Duration, Time } from '../../parts/text/Time.tsx'
import { durationWords } from '../../parts/time-words.ts'
import { Status } from '../../status/Status.tsx'
import { stackLook } from '../../status/table.ts'
import type { Column } from '../../table/column.ts'
import { Table } from '../../table/Table.tsx'
import type { Bar, Stretch } from './bars.ts'
import '../../list/list.css'

const iso = (at: number): string => new Date(at).toISOString()

const tookOf = (stretch: Stretch | undefined): number | undefined =>
  stretch?.to === undefined ? undefined : stretch.to - stretch.from

const Took = ({ of }: { of: Stretch | undefined }) => {
  if (!of) return null
  return of.to === undefined ? <Duration from={iso(of.from)} /> : durationWords(of.to - of.from)
}

const moment = (at: number | undefined) => at !== undefined && <Time at={iso(at)} as="moment" focusable={false} />

const columnsOf = ({ id, mode }: RunHead): Column<Bar>[] => [
  {
    id: 'stack',
    head: 'Stack',
    className: 'wide',
    sortBy: ({ key }) => key,
    cell: ({ key }) => (
      <Link to="/runs/$id/stacks/$key" params={{ id, key }} tabIndex={-1} className="row-name">
        <Key of={key} />
      </Link>
    ),
  },
  { id: 'wave', head: 'Wave', className: 'number no-phone', sortBy: ({ wave }) => wave, cell: ({ wave }) => wave + 1 },
  {
    id: 'status',
    head: 'Status',
    sortBy: ({ status }) => status,
    cell: ({ status }) => <Status look={stackLook(status, mode)} />,
  },
  {
    id: 'begun',
    head: 'Its turn came',
    className: 'no-phone',
    sortBy: ({ queued, job }) => (queued ?? job)?.from,
    cell: ({ queued, job }) => moment((queued ?? job)?.from),
  },
  {
    id: 'queued',
    head: 'Queued',
    className: 'number no-phone',
    sortBy: ({ queued }) => tookOf(queued),
    cell: ({ queued }) => <Took of={queued} />,
  },
  {
    id: 'job',
    head: 'Job',
    className: 'number no-phone',
    sortBy: ({ job }) => tookOf(job),
    cell: ({ job }) => <Took of={job} />,
  },
  {
    id: 'ended',
    head: 'Ended',
    className: 'no-phone',
    sortBy: ({ queued, job }) => (job ?? queued)?.to,
    cell: ({ queued, job }) => moment((job ?? queued)?.to),
  },
]

type TimelineTableProps = {
  run: RunHead
  bars: readonly Bar[]
  sort: string | undefined
  onSort: (sort?: string) => void
}

/** The chart in words and numbers. */
export const TimelineTable = ({ run, bars, sort, onSort }: TimelineTableProps) => {
  const navigate = useNavigate()
  return (
    <Table
      label="Stacks over time"
      columns={columnsOf(run)}
      rows={bars}
      keyOf={({ key }) => key}
      sort={sort}
      onSort={onSort}
      open={({ key }) => void navigate({ to: '/runs/$id/stacks/$key', params: { id: run.id, key } })}
    />
  )
}

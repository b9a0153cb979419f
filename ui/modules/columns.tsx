import { Link } from '@tanstack/react-router'
import type { ModuleDetail } from '../api/modules.ts'
import { Key } from '../parts/text/Key.tsx'
import { many } from '../parts/words.ts'
import type { Column } from '../table/column.ts'
import './modules.css'

/** Nothing of something is quiet. */
const Count = ({ of = 0 }: { of: number | undefined }) => <span className={of === 0 ? 'quiet' : undefined}>{of}</span>

/** What is below the key of a module on a phone. */
const inShort = ({ counts, latest }: ModuleDetail): string =>
  [latest, many(counts?.stacks ?? 0, 'stack')].filter((part) => part !== undefined).join(', ')

/** What is said of each module. */
export const columns: Column<ModuleDetail>[] = [
  {
    id: 'key',
    head: 'Module',
    className: 'wide',
    sortBy: ({ key }) => key,
    cell: (one) => (
      <>
        <Link to="/modules/$id" params={{ id: one.id }} tabIndex={-1} className="row-name">
          <Key of={one.key} />
        </Link>
        <span className="second">{inShort(one)}</span>
      </>
    ),
  },
  { id: 'kind', head: 'Kind', className: 'no-phone', sortBy: ({ kind }) => kind, cell: ({ kind }) => kind },
  {
    id: 'latest',
    head: 'Newest version',
    className: 'no-phone',
    cell: ({ latest }) => (latest === undefined ? <span className="quiet">none known</span> : <code>{latest}</code>),
  },
  {
    id: 'repositories',
    head: 'Repositories',
    className: 'number no-phone',
    sortBy: ({ counts }) => counts?.repositories,
    cell: ({ counts }) => <Count of={counts?.repositories} />,
  },
  {
    id: 'stacks',
    head: 'Stacks',
    className: 'number no-phone',
    sortBy: ({ counts }) => counts?.stacks,
    cell: ({ counts }) => <Count of={counts?.stacks} />,
  },
  {
    id: 'behind',
    head: 'Behind',
    className: 'number modules-behind',
    sortBy: ({ counts }) => counts?.behind,
    cell: ({ counts, latest }) => {
      if (latest === undefined) return <span className="quiet">not known</span>
      if (!counts?.behind) return <span className="quiet">none</span>
      return <strong className="behind">{many(counts.behind, 'stack')}</strong>
    },
  },
  {
    id: 'most',
    head: 'Furthest',
    className: 'number no-phone',
    sortBy: ({ counts }) => counts?.most_behind,
    cell: ({ counts }) =>
      counts?.most_behind ? many(counts.most_behind, 'version') : <span className="quiet">–</span>,
  },
]

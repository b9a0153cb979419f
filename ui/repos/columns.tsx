import { Link } from '@tanstack/react-router'
import type { RepoSummary } from '../api/repositories.ts'
import { ownerAndRepo } from '../parts/owner-and-repo.ts'
import { Time } from '../parts/text/Time.tsx'
import { many } from '../parts/words.ts'
import type { Column } from '../table/column.ts'
import './repos.css'

const Name = ({ of: { full_name: name, stacks, drifted, locks_held: locks } }: { of: RepoSummary }) => {
  return (
    <>
      <Link to="/repos/$owner/$repo" params={ownerAndRepo(name)} tabIndex={-1} className="row-name">
        {name}
      </Link>
      <span className="second">
        {many(stacks, 'stack')}
        {drifted > 0 && `, ${drifted} drifted`}
        {locks > 0 && `, ${many(locks, 'lock')} held`}
      </span>
    </>
  )
}

/** Nothing of something is quiet. */
const Count = ({ of }: { of: number }) => <span className={of === 0 ? 'quiet' : undefined}>{of}</span>

/** What is said of each repository. */
export const columns: Column<RepoSummary>[] = [
  {
    id: 'name',
    head: 'Repository',
    className: 'wide',
    sortBy: (one) => one.full_name,
    cell: (one) => <Name of={one} />,
  },
  {
    id: 'branch',
    head: 'Default branch',
    className: 'no-phone',
    cell: ({ default_branch: branch }) => <code>{branch}</code>,
  },
  {
    id: 'stacks',
    head: 'Stacks',
    className: 'number no-phone',
    sortBy: ({ stacks }) => stacks,
    cell: ({ stacks }) => <Count of={stacks} />,
  },
  {
    id: 'drifted',
    head: 'Drifted',
    className: 'number no-phone',
    sortBy: ({ drifted }) => drifted,
    cell: ({ drifted }) => <Count of={drifted} />,
  },
  {
    id: 'locks',
    head: 'Locks held',
    className: 'number no-phone',
    sortBy: ({ locks_held: locks }) => locks,
    cell: ({ locks_held: locks }) => <Count of={locks} />,
  },
  {
    id: 'run',
    head: 'Last run',
    className: 'number repos-last',
    sortBy: ({ last_run_at: at }) => at,
    cell: ({ last_run_at: at }) =>
      at === undefined ? <span className="quiet">none</span> : <Time at={at} focusable={false} />,
  },
]

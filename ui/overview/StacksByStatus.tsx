import { Link } from '@tanstack/react-router'
import type { StackStatus } from '#api/runs/run-stack.ts'
import type { Overview } from '../api/overview.ts'
import { StatusBar } from '../parts/StatusBar.tsx'
import { many } from '../parts/words.ts'
import { Status } from '../status/Status.tsx'
import { looks, stackStatuses } from '../status/table.ts'

/** How the stacks stand, each by the newest run that it is in. */
export const StacksByStatus = ({ overview }: { overview: Overview }) => {
  const counts: Partial<Record<StackStatus, number>> = overview.stacks_by_status
  const shown = stackStatuses.filter((status) => (counts[status] ?? 0) > 0)
  if (shown.length === 0) return null
  return (
    <section className="box">
      <h2>
        Stacks <span className="quiet">each by the newest run that it is in</span>
      </h2>
      <div className="box-rest">
        <StatusBar parts={shown.map((status) => ({ look: looks.stack[status], count: counts[status] ?? 0 }))} />
        <ul className="overview-counts">
          {shown.map((status) => (
            <li key={status}>
              <Link to="/stacks" search={{ status: [status] }}>
                <Status look={looks.stack[status]} />
              </Link>
              <strong>{counts[status]}</strong>
            </li>
          ))}
        </ul>
        {overview.drifted > 0 && (
          <p className="overview-drifted">
            <Status look={looks.drifted}>{many(overview.drifted, 'stack')} not as the code says</Status>
          </p>
        )}
      </div>
    </section>
  )
}

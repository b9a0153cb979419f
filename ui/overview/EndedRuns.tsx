import { Link } from '@tanstack/react-router'
import { readNewestChanges } from '../api/runs.ts'
import { useLive } from '../live/useLive.ts'
import { Problem } from '../parts/feedback/Problem.tsx'
import { Time } from '../parts/text/Time.tsx'
import { runName } from '../run/run-name.ts'
import { Status } from '../status/Status.tsx'
import { runLook } from '../status/table.ts'
import '../parts/box.css'
import './overview.css'

/** Plans and applies that are over, a line each. */
export const EndedRuns = () => {
  const { data, problem, liveness } = useLive({ key: ['runs', 'newest'], read: readNewestChanges, pace: 'list' })
  const ended = data?.items.filter(({ finished_at: at }) => at !== undefined) ?? []
  if (!problem && ended.length === 0) return null
  return (
    <section className="box" aria-labelledby="overview-ended">
      <div className="box-title">
        <h2 id="overview-ended">Ended lately</h2>
        <Link to="/runs">All runs</Link>
      </div>
      {problem && <Problem problem={problem} what="Reading the runs did not work" tryAgain={liveness.tryNow} />}
      <ul className="run-list">
        {ended.map((run) => (
          <li key={run.id}>
            <Status look={runLook(run.status)} />
            <span className="run-list-name">
              <Link to="/runs/$id" params={{ id: run.id }}>
                {runName(run)}
              </Link>{' '}
              <span className="quiet">{run.repo}</span>
            </span>
            {run.pr_title !== undefined && <bdi className="run-list-title quiet small">{run.pr_title}</bdi>}
            {run.requested_by !== undefined && <span className="run-list-by quiet small">{run.requested_by}</span>}
            <span className="run-list-time quiet small">
              {run.finished_at !== undefined && <Time at={run.finished_at} as="moment" />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

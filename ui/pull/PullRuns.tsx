import { Link } from '@tanstack/react-router'
import type { Run } from '../api/runs.ts'
import { Duration, Time } from '../parts/text/Time.tsx'
import { runName } from '../run/run-name.ts'
import { Status } from '../status/Status.tsx'
import { runLook } from '../status/table.ts'

/** The runs of one pull request, newest first, with the commit that each is of. */
export const PullRuns = ({ runs, more }: { runs: readonly Run[]; more: boolean }) => (
  <section className="box">
    <h2>Runs</h2>
    <ul className="pull-list">
      {runs.map((run) => (
        <li key={run.id}>
          <Status look={runLook(run.status)} />
          <span className="pull-name">
            <Link to="/runs/$id" params={{ id: run.id }}>
              {runName(run)}
            </Link>{' '}
            <code className="quiet">{run.sha.slice(0, 7)}</code>
          </span>
          <span className="quiet small">
            <Time at={run.created_at} />
            {run.finished_at === undefined ? ', ' : ', took '}
            <Duration from={run.started_at ?? run.created_at} to={run.finished_at} />
            {run.finished_at === undefined && ' so far'}
          </span>
        </li>
      ))}
    </ul>
    {more && <p className="box-rest quiet">These are the newest {runs.length}.</p>}
  </section>
)

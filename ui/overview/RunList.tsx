import { Link } from '@tanstack/react-router'
import type { Run } from '../api/runs.ts'
import { Time } from '../parts/text/Time.tsx'
import { runName } from '../run/run-name.ts'
import { Status } from '../status/Status.tsx'
import { runLook } from '../status/table.ts'
import './overview.css'

/** Runs that are over, a line each. */
export const RunList = ({ runs }: { runs: readonly Run[] }) => (
  <ul className="run-list">
    {runs.map((run) => (
      <li key={run.id}>
        <Status look={runLook(run.status)} />
        <span className="run-list-name">
          <Link to="/runs/$id" params={{ id: run.id }}>
            {runName(run)}
          </Link>{' '}
          <span className="quiet">{run.repo}</span>
        </span>
        {run.requested_by !== undefined && <span className="run-list-by quiet small">{run.requested_by}</span>}
        <span className="run-list-time quiet small">
          {run.finished_at !== undefined && <Time at={run.finished_at} as="moment" />}
        </span>
      </li>
    ))}
  </ul>
)

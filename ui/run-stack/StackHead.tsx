import { Link } from '@tanstack/react-router'
import type { RunRow } from '../api/run-types.ts'
import type { RunHead } from '../live/run-store.ts'
import type { Liveness } from '../live/useLive.ts'
import { Counts } from '../parts/Counts.tsx'
import { Live } from '../parts/feedback/Live.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Key } from '../parts/text/Key.tsx'
import { shortId } from '../parts/text/short-id.ts'
import { Duration, Time } from '../parts/text/Time.tsx'
import { countsOfSummary } from '../run/counts-of-summary.ts'
import { RunCrumbs } from '../run/RunCrumbs.tsx'
import { runName } from '../run/run-name.ts'
import { Status } from '../status/Status.tsx'
import { stackLook } from '../status/table.ts'
import '../run/head/run-header.css'

type StackHeadProps = { row: RunRow; run: RunHead; liveness: Liveness }

/** Which stack of which run, how it stands, and where it leads. */
export const StackHead = ({ row, run, liveness }: StackHeadProps) => (
  <header>
    <RunCrumbs run={run}>
      <Link to="/runs/$id" params={{ id: run.id }}>
        {runName(run)} {shortId(run.id)}
      </Link>
    </RunCrumbs>
    <div className="run-head">
      <h1>
        <Key of={row.key} copy />
      </h1>
      <div className="run-facts">
        <Standing row={row} run={run} />
        <Live liveness={liveness} />
      </div>
      <div className="run-links">
        {row.job_url !== undefined && (
          <a className="button button-small" href={row.job_url}>
            Its job <Icon name="outside" />
          </a>
        )}
        <Link to="/runs/$id" params={{ id: run.id }} search={{ stack: row.key }} className="button button-small">
          On the board
        </Link>
      </div>
    </div>
  </header>
)

const Standing = ({ row, run }: { row: RunRow; run: RunHead }) => {
  const { status, summary, environment, wave, started_at: from, finished_at: to } = row
  return (
    <>
      <Status look={stackLook(status, run.mode)} pill />
      {summary && <Counts of={countsOfSummary(summary)} />}
      {environment !== undefined && <span>{environment}</span>}
      <span>
        wave {wave + 1} of {run.waves}
      </span>
      <span>
        head <code>{run.sha.slice(0, 7)}</code>
      </span>
      {to !== undefined && (
        <span>
          ended <Time at={to} as="moment" />
        </span>
      )}
      {from !== undefined && (
        <span>
          {to !== undefined && 'took '}
          <Duration from={from} to={to} />
          {to === undefined && ' so far'}
        </span>
      )}
    </>
  )
}

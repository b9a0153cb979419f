import type { RunHead } from '../../live/run-store.ts'
import { StatusBar } from '../../parts/StatusBar.tsx'
import { Prose } from '../../parts/text/Prose.tsx'
import { shortId } from '../../parts/text/short-id.ts'
import { Duration, Time } from '../../parts/text/Time.tsx'
import { Status } from '../../status/Status.tsx'
import { stackLook, stackStatuses } from '../../status/table.ts'
import { RunCrumbs } from '../RunCrumbs.tsx'
import type { Phase } from '../state/phase.ts'
import type { Tally } from '../state/tally.ts'
import { HeadLinks } from './HeadLinks.tsx'
import { begunBy, headLook, runTitle, statusWords, whereKept } from './head-words.ts'
import './run-header.css'

type HeaderProps = { run: RunHead; tally: Tally; phase: Phase }

/** What a run is, where it came from, how far it is, and what comes next. */
export const RunHeader = ({ run, tally, phase }: HeaderProps) => (
  <header>
    <RunCrumbs run={run}>
      {{ plan: 'Plan', apply: 'Apply', drift: 'Drift check' }[run.mode]} {shortId(run.id)}
    </RunCrumbs>
    <div className="run-head">
      <h1>{runTitle(run)}</h1>
      <div className="run-facts">
        <Status look={headLook(run, tally)} pill>
          {statusWords(run, tally, phase)}
        </Status>
        <Commit run={run} />
        <span>
          {begunBy(run)} at <Time at={run.created_at} as="moment" />
        </span>
        <Took run={run} />
      </div>
      <HeadLinks run={run} tally={tally} />
    </div>
    {tally.total > 0 && (
      <StatusBar
        parts={stackStatuses.map((status) => ({ look: stackLook(status, run.mode), count: tally.counts[status] ?? 0 }))}
      />
    )}
    {whereKept(run) !== undefined && <p className="run-next quiet">{whereKept(run)}</p>}
    {run.next !== undefined && phase.drains === undefined && (
      <p className="run-next quiet">
        <Prose of={run.next} />
      </p>
    )}
  </header>
)

const Commit = ({ run: { sha, commit_url: url } }: { run: RunHead }) => {
  const short = <code>{sha.slice(0, 7)}</code>
  return <span>head {url === undefined ? short : <a href={url}>{short}</a>}</span>
}

const Took = ({ run: { started_at: from, finished_at: to } }: { run: RunHead }) => {
  if (from === undefined) return null
  return (
    <span>
      {to !== undefined && 'took '}
      <Duration from={from} to={to} />
      {to === undefined && ' so far'}
    </span>
  )
}

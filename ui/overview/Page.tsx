import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { type Overview, readOverview } from '../api/overview.ts'
import { useLive } from '../live/useLive.ts'
import { Boundary } from '../parts/feedback/Boundary.tsx'
import { Empty } from '../parts/feedback/Empty.tsx'
import { Live } from '../parts/feedback/Live.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { many } from '../parts/words.ts'
import { BrokenPart } from '../shell/BrokenPart.tsx'
import { PageProblem } from '../shell/PageProblem.tsx'
import { useTitle } from '../shell/useTitle.ts'
import { EndedRuns } from './EndedRuns.tsx'
import { Needs } from './Needs.tsx'
import { OldestLocks } from './OldestLocks.tsx'
import { OpenRun } from './OpenRun.tsx'
import { Repositories } from './Repositories.tsx'
import { StacksByStatus } from './StacksByStatus.tsx'
import '../parts/box.css'
import './overview.css'

// the first page has a budget, and most have no drift
const Drift = lazy(async () => ({ default: (await import('./Drift.tsx')).Drift }))

/** What needs somebody, what is under way, what ended lately, how the stacks stand, and the repositories that there are. */
export const OverviewPage = () => {
  useTitle('Overview')
  const { data, problem, liveness } = useLive({ key: ['overview'], read: readOverview, pace: 'list' })
  if (problem) return <PageProblem problem={problem} what="the overview" tryAgain={liveness.tryNow} />
  return (
    <>
      <header className="page-head">
        <h1>Overview</h1>
        <Live liveness={liveness} />
        {data && <p className="quiet">{sizeOf(data)}</p>}
      </header>
      {data && <Needs attention={data.attention} />}
      <div className="overview">
        <div className="overview-column">
          {data ? <OpenRuns overview={data} /> : <Skeleton />}
          <EndedRuns />
        </div>
        <div className="overview-column">
          {data && <StacksByStatus overview={data} />}
          {data && data.drifted > 0 && (
            <Boundary instead={(error) => <BrokenPart error={error} what="The drift could not be shown" />}>
              <Suspense fallback={<Skeleton />}>
                <Drift drifted={data.drifted} />
              </Suspense>
            </Boundary>
          )}
          {data && <OldestLocks held={data.locks_held} />}
          <Repositories />
        </div>
      </div>
    </>
  )
}

const sizeOf = ({ repos, stacks, locks_held, open_runs }: Overview): string =>
  [
    many(repos, 'repository', 'repositories'),
    many(stacks, 'stack'),
    `${many(open_runs?.total ?? 0, 'run')} under way`,
    `${many(locks_held, 'lock')} held`,
  ].join(' · ')

const OpenRuns = ({ overview: { open_runs: open, recent_runs: recent = [] } }: { overview: Overview }) => {
  const more = open === undefined ? 0 : open.total - open.items.length
  return (
    <section className="box">
      <div className="box-title">
        <h2>Under way {open !== undefined && <span className="quiet">{many(open.total, 'run')}</span>}</h2>
        <Link to="/runs" search={{ open: 'true' }}>
          All that are under way
        </Link>
      </div>
      {open === undefined && <NothingRuns any={recent.length > 0} />}
      <ul className="open-runs">
        {open?.items.map((run) => (
          <OpenRun key={run.id} run={run} />
        ))}
      </ul>
      {more > 0 && <p className="box-rest quiet">And {more} more.</p>}
    </section>
  )
}

const NothingRuns = ({ any }: { any: boolean }) => (
  <div className="box-rest">
    <Empty why={any ? 'Nothing runs at the moment.' : 'No run has begun yet.'}>
      {!any && (
        <p>
          A repository takes part with the workflows svc-plan.yml and svc-run.yml: <code>svc init</code> writes them,
          and <code>svc doctor</code> says what is missing. The next pull request is planned.
        </p>
      )}
    </Empty>
  </div>
)

import { readOverview } from '../api/overview.ts'
import { readRepositories } from '../api/repositories.ts'
import { useLive } from '../live/useLive.ts'
import { Empty } from '../parts/Empty.tsx'
import { Live } from '../parts/Live.tsx'
import { Problem } from '../parts/Problem.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'
import { PageProblem } from '../shell/PageProblem.tsx'
import { useTitle } from '../shell/useTitle.ts'
import { RunList } from './RunList.tsx'
import '../parts/panel.css'
import './overview.css'

/** What is under way, what ended lately, and the repositories that there are. */
export const OverviewPage = () => {
  useTitle('Overview')
  const overview = useLive({ key: ['overview'], read: readOverview, pace: 'list' })
  const { data, problem, liveness } = overview
  if (problem) return <PageProblem problem={problem} what="the overview" tryAgain={liveness.tryNow} />
  const runs = data?.recent_runs ?? []
  const underWay = runs.filter(({ finished_at }) => finished_at === undefined)
  const ended = runs.filter(({ finished_at }) => finished_at !== undefined)
  return (
    <>
      <header className="overview-head">
        <h1>Overview</h1>
        <Live liveness={liveness} />
      </header>
      <div className="overview">
        <section className="box">
          <h2>Under way</h2>
          {data === undefined ? (
            <Skeleton />
          ) : underWay.length > 0 ? (
            <RunList runs={underWay} />
          ) : (
            <NothingRuns any={runs.length > 0} />
          )}
        </section>
        <Repositories />
        {ended.length > 0 && (
          <section className="box">
            <h2>Ended lately</h2>
            <RunList runs={ended} />
          </section>
        )}
      </div>
    </>
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

/** The repositories that have the app: it fails and is refreshed by itself. */
const Repositories = () => {
  const { data, problem, liveness } = useLive({ key: ['repositories'], read: readRepositories, pace: 'list' })
  return (
    <section className="box">
      <h2>Repositories</h2>
      {problem && <Problem problem={problem} what="Reading the repositories did not work" tryAgain={liveness.tryNow} />}
      {!problem && data === undefined && <Skeleton />}
      {data?.items.length === 0 && (
        <div className="box-rest">
          <Empty why="No repository has the app, or none that you may read. Install the app on a repository at the code host." />
        </div>
      )}
      <ul className="run-list">
        {data?.items.map(({ id, full_name, stacks, drifted, locks_held }) => (
          <li key={id}>
            <span className="run-list-name">{full_name}</span>
            <span className="quiet small">
              {stacks} {stacks === 1 ? 'stack' : 'stacks'}
              {drifted > 0 && `, ${drifted} drifted`}
              {locks_held > 0 && `, ${locks_held} ${locks_held === 1 ? 'lock' : 'locks'} held`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

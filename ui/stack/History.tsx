import { Link } from '@tanstack/react-router'
import { type RunStackRef, readStackRuns } from '../api/stacks.ts'
import { useLive } from '../live/useLive.ts'
import { Counts } from '../parts/Counts.tsx'
import { Problem } from '../parts/feedback/Problem.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { Time } from '../parts/text/Time.tsx'
import { Status } from '../status/Status.tsx'
import { Bars } from './Bars.tsx'
import { barsOf, lookOf, runsInWords, tookWords } from './bars.ts'

/** As many as are listed below the picture. */
const listed = 10

/** What the newest plans and applies did with the stack: how each ended, and how long it took. Checks for drift have a part of their own. */
export const History = ({ id, stack }: { id: string; stack: string }) => {
  const { data, problem, liveness } = useLive({
    key: ['stack runs', id],
    read: (signal) => readStackRuns(id, signal),
    pace: 'list',
  })
  const runs = data?.items
  return (
    <section className="box" aria-labelledby="stack-runs">
      <h2 id="stack-runs">Its newest plans and applies</h2>
      {problem && <Problem problem={problem} what="Reading its runs did not work" tryAgain={liveness.tryNow} />}
      {!problem && runs === undefined && <Skeleton />}
      {runs?.length === 0 && <p className="box-rest quiet">Nothing was planned or applied here yet.</p>}
      {runs !== undefined && runs.length > 0 && (
        <>
          <div className="box-rest">
            <Bars of={barsOf(runs)} says={`The newest runs by how long they took. ${runsInWords(runs)}`} />
            <p className="small">
              {runsInWords(runs)} <span className="quiet">The oldest is at the left.</span>
            </p>
          </div>
          <ul className="stack-list">
            {runs.slice(0, listed).map((run) => (
              <Run key={run.run_id} run={run} stack={stack} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

const names = { plan: 'Plan', apply: 'Apply', drift: 'Check for drift' } as const

const Run = ({ run, stack }: { run: RunStackRef; stack: string }) => {
  const took = tookWords(run)
  const { summary, mode = 'plan' } = run
  return (
    <li>
      <Status look={lookOf(run)} />
      <Link to="/runs/$id" params={{ id: run.run_id }} search={{ stack }} className="stack-name">
        {names[mode]}
        {run.pr_number !== undefined && ` of #${run.pr_number}`}
      </Link>
      {summary && (
        <Counts
          of={{
            add: summary.adds,
            change: summary.changes,
            destroy: summary.destroys,
            replace: summary.replaces,
          }}
        />
      )}
      <span className="quiet small">
        at <code>{run.sha.slice(0, 7)}</code>
        {took !== undefined && `, took ${took}`}
        {run.finished_at !== undefined && (
          <>
            {', '}
            <Time at={run.finished_at} />
          </>
        )}
      </span>
    </li>
  )
}

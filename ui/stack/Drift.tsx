import { Link } from '@tanstack/react-router'
import { readStackDrift, type StackDetail } from '../api/stacks.ts'
import { useLive } from '../live/useLive.ts'
import { Problem } from '../parts/feedback/Problem.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { Time } from '../parts/text/Time.tsx'
import { Status } from '../status/Status.tsx'
import { looks } from '../status/table.ts'
import { Bars } from './Bars.tsx'
import { checksInWords, stripOf } from './bars.ts'

const first = (runs: readonly { run_id: string }[]): string | undefined => runs[0]?.run_id

/** Whether the stack is as its code says, and what the checks before found. */
export const Drift = ({ stack: { id, key, drift } }: { stack: StackDetail }) => {
  const { data, problem, liveness } = useLive({
    key: ['stack drift', id],
    read: (signal) => readStackDrift(id, signal),
    pace: 'list',
  })
  const checks = data?.items
  const newest = first(checks ?? [])
  return (
    <section className="box" aria-labelledby="stack-drift">
      <div className="box-title">
        <h2 id="stack-drift">Drift</h2>
        {drift && (
          <span className="small">
            {drift.drifted ? <Status look={looks.drifted} /> : 'none'}
            <span className="quiet">
              , checked <Time at={drift.checked_at} />
            </span>
          </span>
        )}
      </div>
      {problem && <Problem problem={problem} what="Reading its checks did not work" tryAgain={liveness.tryNow} />}
      {!problem && checks === undefined && <Skeleton />}
      {checks?.length === 0 && (
        <p className="box-rest quiet">
          It has not been checked for drift. <code>drift.schedule</code> in svc.yml says when checks are made.
        </p>
      )}
      {checks !== undefined && checks.length > 0 && (
        <div className="box-rest">
          <Bars of={stripOf(checks)} says={`The newest checks for drift. ${checksInWords(checks)}`} />
          <p className="small">
            {checksInWords(checks)} <span className="quiet">High bars found drift; the oldest is at the left.</span>
          </p>
          <p className="small">
            {newest !== undefined && (
              <Link to="/runs/$id" params={{ id: newest }} search={{ stack: key }}>
                The newest check
              </Link>
            )}
            {drift?.issue_url !== undefined && (
              <>
                {' · '}
                <a href={drift.issue_url}>Issue #{drift.issue_number}</a>
              </>
            )}
          </p>
        </div>
      )}
    </section>
  )
}

import { Link } from '@tanstack/react-router'
import { readRepositories } from '../api/repositories.ts'
import { useLive } from '../live/useLive.ts'
import { Empty } from '../parts/feedback/Empty.tsx'
import { Problem } from '../parts/feedback/Problem.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { ownerAndRepo } from '../parts/owner-and-repo.ts'
import { many } from '../parts/words.ts'

/** The repositories that have the app: it fails and is refreshed by itself. */
export const Repositories = () => {
  const { data, problem, liveness } = useLive({ key: ['repositories'], read: readRepositories, pace: 'list' })
  return (
    <section className="box">
      <div className="box-title">
        <h2>Repositories</h2>
        <Link to="/repos">All repositories</Link>
      </div>
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
            <span className="run-list-name">
              <Link to="/repos/$owner/$repo" params={ownerAndRepo(full_name)}>
                {full_name}
              </Link>
            </span>
            <span className="quiet small">
              {many(stacks, 'stack')}
              {drifted > 0 && `, ${drifted} drifted`}
              {locks_held > 0 && `, ${many(locks_held, 'lock')} held`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

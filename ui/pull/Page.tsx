import { getRouteApi } from '@tanstack/react-router'
import { readPullRuns } from '../api/runs.ts'
import { Gate } from '../gate/Gate.tsx'
import { useLive } from '../live/useLive.ts'
import { Crumbs } from '../parts/Crumbs.tsx'
import { Empty } from '../parts/feedback/Empty.tsx'
import { Live } from '../parts/feedback/Live.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { Icon } from '../parts/Icon.tsx'
import { PageProblem } from '../shell/PageProblem.tsx'
import { useTitle } from '../shell/useTitle.ts'
import { PullLocks } from './PullLocks.tsx'
import { PullRuns } from './PullRuns.tsx'
import '../parts/box.css'
import './pull.css'

const route = getRouteApi('/repos/$owner/$repo/pulls/$number')

/** All runs of a pull request, newest first; the gate of its newest plan; the locks that it holds or waits for. */
export const PullPage = () => {
  const { owner, repo, number } = route.useParams()
  const name = `${owner}/${repo}`
  const pr = Number(number)
  useTitle(`#${number} of ${name}`)
  const { data, problem, liveness } = useLive({
    key: ['pull', name, pr],
    read: (signal) => readPullRuns({ owner, repo }, pr, signal),
    pace: 'list',
  })
  if (problem) return <PageProblem problem={problem} what="this pull request" tryAgain={liveness.tryNow} />
  const plan = data?.items.find(({ mode }) => mode === 'plan')
  const { pr_url: link, pr_title: title } = data?.items[0] ?? {}
  return (
    <>
      <Crumbs repo={name}>
        <li>#{number}</li>
      </Crumbs>
      <header className="page-head pull-head">
        <h1>
          Pull request #{number}
          {title !== undefined && (
            <>
              : <bdi>{title}</bdi>
            </>
          )}
        </h1>
        {link !== undefined && (
          <a className="button button-small" href={link}>
            On the code host <Icon name="outside" />
          </a>
        )}
        <Live liveness={liveness} />
      </header>
      {data === undefined && <Skeleton />}
      {data?.items.length === 0 && (
        <Empty why="No run has begun for this pull request. A job of its workflow svc-plan.yml begins the first." />
      )}
      <div className="pull">
        <div>
          {data !== undefined && data.items.length > 0 && (
            <PullRuns runs={data.items} more={data.next_cursor !== undefined} />
          )}
          {plan !== undefined && (
            <>
              <h2 className="pull-gate">The gate of its newest plan</h2>
              <Gate runId={plan.id} />
            </>
          )}
        </div>
        <PullLocks repo={name} pr={pr} />
      </div>
    </>
  )
}

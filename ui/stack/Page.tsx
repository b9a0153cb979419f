import { getRouteApi, Link } from '@tanstack/react-router'
import { readStack, type StackDetail } from '../api/stacks.ts'
import { useLive } from '../live/useLive.ts'
import { Crumbs } from '../parts/Crumbs.tsx'
import { Live } from '../parts/feedback/Live.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { Key } from '../parts/text/Key.tsx'
import { standingLook, standingOf, standingWord } from '../repository/stacks/standing.ts'
import { PageProblem } from '../shell/PageProblem.tsx'
import { useTitle } from '../shell/useTitle.ts'
import { Status } from '../status/Status.tsx'
import { Modules, Neighbours } from './Around.tsx'
import { Drift } from './Drift.tsx'
import { History } from './History.tsx'
import { StackLock } from './StackLock.tsx'
import { StackNeeds } from './StackNeeds.tsx'
import '../parts/box.css'
import './stack.css'

const route = getRouteApi('/stacks/$id')

/** A stack as it stands: its lock and who waits, what runs did with it, its drift, its modules and its neighbours. */
export const StackPage = () => {
  const { id } = route.useParams()
  const {
    data: stack,
    problem,
    liveness,
  } = useLive({
    key: ['stack', id],
    read: (signal) => readStack(id, signal),
    pace: 'list',
  })
  useTitle(stack?.key ?? 'Stack')
  if (problem) return <PageProblem problem={problem} what="this stack" tryAgain={liveness.tryNow} />
  if (!stack) {
    return (
      <>
        <h1>Stack</h1>
        <Skeleton lines={8} />
      </>
    )
  }
  return (
    <>
      <Crumbs repo={stack.repo}>
        <li>{stack.key}</li>
      </Crumbs>
      <header className="page-head">
        <h1>
          <Key of={stack.key} copy />
        </h1>
        <Live liveness={liveness} />
        <Facts stack={stack} />
      </header>
      <StackNeeds stack={stack} />
      <div className="stack-page">
        <div className="stack-column">
          <History id={id} stack={stack.key} />
          <Drift stack={stack} />
          <Neighbours stack={stack} />
        </div>
        <div className="stack-column stack-column-beside">
          <StackLock stack={stack} />
          <Modules stack={stack} />
        </div>
      </div>
    </>
  )
}

const backendOf = ({ backend }: StackDetail): string | undefined => {
  if (!backend) return undefined
  const place = [backend.bucket, backend.key].filter((part) => part !== undefined).join('/')
  return place === '' ? backend.type : `${backend.type} ${place}`
}

const Facts = ({ stack }: { stack: StackDetail }) => {
  const standing = standingOf(stack)
  const look = standingLook(standing)
  const state = backendOf(stack)
  return (
    <p className="stack-standing quiet">
      {look ? <Status look={look} pill /> : <span>{standingWord(standing)}</span>}
      {stack.environment !== undefined && <span>{stack.environment}</span>}
      {stack.tool !== undefined && <span>{stack.tool}</span>}
      {stack.workspace !== undefined && <span>workspace {stack.workspace}</span>}
      {state !== undefined && <code>{state}</code>}
      {stack.tags?.map((tag) => (
        <Link key={tag} to="/stacks" search={{ tag }}>
          tag:{tag}
        </Link>
      ))}
    </p>
  )
}

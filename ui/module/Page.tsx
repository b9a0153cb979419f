import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type ModuleDetail, readModule } from '../api/modules.ts'
import { useLive } from '../live/useLive.ts'
import { Crumbs } from '../parts/Crumbs.tsx'
import { Empty } from '../parts/feedback/Empty.tsx'
import { Live } from '../parts/feedback/Live.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { Key } from '../parts/text/Key.tsx'
import { many } from '../parts/words.ts'
import { PageProblem } from '../shell/PageProblem.tsx'
import { useTitle } from '../shell/useTitle.ts'
import { Behind } from './Behind.tsx'
import { LadderBox } from './LadderBox.tsx'
import { type Ladder, ladderOf } from './ladder.ts'
import { Matrix } from './Matrix.tsx'
import { Stacks } from './Stacks.tsx'
import '../parts/box.css'
import '../list/list.css'
import './module.css'

const route = getRouteApi('/modules/$id')

/** A module: who is how far behind, across repositories. */
export const ModulePage = () => {
  const { id } = route.useParams()
  const { data, problem, liveness } = useLive({
    key: ['module', id],
    read: (signal) => readModule(id, signal),
    pace: 'over',
  })
  const ladder = useMemo(() => data && ladderOf(data), [data])
  useTitle(data?.key ?? 'Module')
  if (problem) return <PageProblem problem={problem} what="this module" tryAgain={liveness.tryNow} />
  return (
    <>
      <Crumbs>
        <li>
          <Link to="/modules">Modules</Link>
        </li>
        <li>{data?.key}</li>
      </Crumbs>
      <header className="page-head">
        <h1>{data ? <Key of={data.key} copy /> : 'Module'}</h1>
        <Live liveness={liveness} />
        <p className="quiet">{data ? <Facts of={data} /> : '\u00a0'}</p>
      </header>
      {data && ladder ? <Standing of={data} ladder={ladder} /> : <Skeleton lines={8} />}
    </>
  )
}

const Facts = ({ of: { kind, latest, consumers = [] } }: { of: ModuleDetail }) => {
  const repositories = new Set(consumers.map(({ repo }) => repo)).size
  const stacks = new Set(consumers.map(({ stack_id: id }) => id)).size
  return (
    <>
      {kind} · {latest === undefined ? 'no version is known' : 'newest '}
      {latest !== undefined && <code>{latest}</code>} · {many(stacks, 'stack')} of{' '}
      {many(repositories, 'repository', 'repositories')} {stacks === 1 ? 'uses' : 'use'} it
    </>
  )
}

const Standing = ({ of, ladder }: { of: ModuleDetail; ladder: Ladder }) => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  if ((of.consumers ?? []).length === 0) {
    return <Empty why="No stack that you may see uses this module on its default branch." />
  }
  const choose = (next: typeof search): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  const isVersioned = ladder.rungs.length > 0
  return (
    <>
      {isVersioned && <Behind ladder={ladder} latest={of.latest} />}
      <div className={isVersioned ? 'module' : 'module module-plain'}>
        {isVersioned && <LadderBox ladder={ladder} latest={of.latest} at={search.at} choose={(at) => choose({ at })} />}
        <div className="module-main">
          {isVersioned && <Matrix ladder={ladder} chosen={search} choose={choose} />}
          <Stacks ladder={ladder} search={search} choose={choose} />
        </div>
      </div>
    </>
  )
}

import { getRouteApi } from '@tanstack/react-router'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { Acts } from '../run/acts/Acts.tsx'
import { RunContext, useLiveRun, useShown } from '../run/state/useRun.ts'
import { NotThere } from '../shell/NotThere.tsx'
import { PageProblem } from '../shell/PageProblem.tsx'
import { useTitle } from '../shell/useTitle.ts'
import { StackOfRun } from './StackOfRun.tsx'

const route = getRouteApi('/runs/$id/stacks/$key')

/** One stack of a run on a whole page: its plan, why it is there, its checks, lock and job. */
export const RunStackPage = () => {
  const { id, key } = route.useParams()
  const { store, problem, liveness } = useLiveRun(id)
  const { run, rows } = useShown(store)
  useTitle(run ? `${key} · ${run.mode}` : key)
  if (problem) return <PageProblem problem={problem} what="this run" tryAgain={liveness.tryNow} />
  if (!run) {
    return (
      <>
        <h1>{key}</h1>
        <Skeleton />
      </>
    )
  }
  if (!rows.has(key)) return <NotThere what={`a stack ${key} of this run`} />
  return (
    <RunContext value={store}>
      <Acts key={id}>
        <StackOfRun key={`${id} ${key}`} run={run} stackKey={key} liveness={liveness} />
      </Acts>
    </RunContext>
  )
}

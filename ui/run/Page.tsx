import { getRouteApi, Outlet } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { PageProblem } from '../shell/PageProblem.tsx'
import { useTitle } from '../shell/useTitle.ts'
import { Acts } from './acts/Acts.tsx'
import { AttentionList } from './head/Attention.tsx'
import { RunHeader } from './head/RunHeader.tsx'
import { RunTabs } from './head/RunTabs.tsx'
import { runName } from './run-name.ts'
import { phaseOf } from './state/phase.ts'
import { tallyOf } from './state/tally.ts'
import { useAnnouncedChanges } from './state/useAnnouncedChanges.ts'
import { RunContext, useLiveRun, useShown } from './state/useRun.ts'

const route = getRouteApi('/runs/$id')

/** A run: what it is, what needs somebody, and its tabs. */
export const RunPage = () => {
  const { id } = route.useParams()
  const { store, problem, liveness } = useLiveRun(id)
  const { run, rows } = useShown(store)
  const tally = useMemo(() => tallyOf(rows), [rows])
  useTitle(run ? `${runName(run)} · ${run.repo}` : 'Run')
  useAnnouncedChanges(store)
  if (problem) return <PageProblem problem={problem} what="this run" tryAgain={liveness.tryNow} />
  if (!run) {
    return (
      <>
        <h1>Run</h1>
        <Skeleton />
      </>
    )
  }
  return (
    <RunContext value={store}>
      <Acts key={id}>
        <RunHeader run={run} tally={tally} phase={phaseOf(run, tally)} />
        <AttentionList tally={tally} phase={phaseOf(run, tally)} />
        <RunTabs run={run} liveness={liveness} />
        <Outlet />
      </Acts>
    </RunContext>
  )
}

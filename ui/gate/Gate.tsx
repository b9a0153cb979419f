import { readGate } from '../api/gate.ts'
import { useLive } from '../live/useLive.ts'
import { Empty } from '../parts/feedback/Empty.tsx'
import { Problem } from '../parts/feedback/Problem.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { Checklist } from './Checklist.tsx'

/** The gate of a run. Of a check for drift, and of an apply from before it was kept, there is none: the service says which. */
export const Gate = ({ runId }: { runId: string }) => {
  const { data, problem, liveness } = useLive({
    key: ['gate', runId],
    read: (signal) => readGate(runId, signal),
    pace: 'list',
  })
  if (data) return <Checklist runId={runId} gate={data} />
  if (problem?.code === 'conflict') return <Empty why={`There is no gate to show: ${problem.message}.`} />
  if (problem) return <Problem problem={problem} what="The gate could not be read" tryAgain={liveness.tryNow} />
  return <Skeleton />
}

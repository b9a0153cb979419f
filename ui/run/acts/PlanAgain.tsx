import { useNavigate } from '@tanstack/react-router'
import { rerun } from '../../api/runs.ts'
import { announce } from '../../live/Announcements.tsx'
import { Confirm } from '../../parts/overlay/Confirm.tsx'
import { useReadAgain, useRun } from '../state/useRun.ts'
import { planAgain } from './plan-again.ts'

/** Plans every stack of the plan again, in a new run, which is then opened. */
export const PlanAgain = ({ onClose }: { onClose: () => void }) => {
  const { run } = useRun()
  const navigate = useNavigate()
  const readAgain = useReadAgain()
  const planRunId = run && planAgain(run).planRunId
  if (!run || planRunId === undefined) return null
  const act = async (): Promise<undefined> => {
    const { run_id: id } = await rerun(planRunId)
    announce('The new run has begun.')
    void navigate({ to: '/runs/$id', params: { id } })
  }
  const sha = run.sha.slice(0, 7)
  return (
    <Confirm
      title={run.pr_number === undefined ? 'Plan again' : `Plan #${run.pr_number} again`}
      happens={[
        `Every stack of the plan is planned again at ${sha}, in a new run with jobs of its own.`,
        ...(run.pr_number === undefined
          ? []
          : [`The comment and the check runs of #${run.pr_number} show the new run.`]),
        'This page goes on to it.',
      ]}
      staysAsItIs={['Nothing is applied.', 'No lock is taken or released.', 'This run stays as it is.']}
      action="Plan again"
      act={act}
      readAgain={readAgain}
      onClose={onClose}
    />
  )
}

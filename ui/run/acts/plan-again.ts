import type { RunHead } from '../../live/run-store.ts'
import { isOpen } from '../../status/phases.ts'

/** Which plan run to plan again, or why there is nothing to. */
export type PlanAgain = { planRunId: string; why?: undefined } | { planRunId?: undefined; why: string }

/** As the service decides it (src/commands/runs/rerun.ts), as far as this page can know. */
export const planAgain = (run: RunHead): PlanAgain => {
  if (isOpen(run.status)) return { why: 'It can be planned again once this run has ended.' }
  if (run.status === 'superseded' || run.superseded_by !== undefined) {
    return { why: 'A newer commit has a plan of its own.' }
  }
  if (run.mode === 'plan') return { planRunId: run.id }
  if (run.mode === 'apply' && run.status !== 'applied' && run.plan_run_id !== undefined) {
    return { planRunId: run.plan_run_id }
  }
  return { why: run.mode === 'drift' ? 'The next check comes by its schedule.' : 'Everything is applied.' }
}

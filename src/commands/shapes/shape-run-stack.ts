import type { Waiting } from '#db/views/lock-view.ts'
import type { RunStackDetail } from '#db/views/runs/run-stack-detail.ts'
import type { RunStackView } from '#db/views/runs/run-stack-view.ts'
import { present, shapeRunStack } from './shape-run.ts'

/** A stack's row in a run as reads of the run show it, with what belongs to it (docs/interface.md, 'RunStack'). */
export const shapeRunStackDetail = (
  view: RunStackView,
  detail: RunStackDetail | undefined,
  waiting: readonly Waiting[] = [],
) => {
  const { lock, ...row } = shapeRunStack(view)
  const pulls = waiting.map(({ pr_number, run_id }) => ({ pr_number, run_id }))
  return {
    ...row,
    ...present({
      unknown_reason: view.status === 'unknown' ? detail?.lost : null,
      plan_run_id: detail?.plan_run_id,
      dispatch_id: detail?.dispatch_id,
      lock: lock && { ...lock, ...present({ state: detail?.lock_state, waiting: pulls }) },
    }),
  }
}

export type ShapedRunStackDetail = ReturnType<typeof shapeRunStackDetail>

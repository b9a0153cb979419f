import type { DriftCheckView } from '#db/views/drift-view.ts'
import type { UsedModule } from '#db/views/module-view.ts'
import type { RunStackRef, StackView } from '#db/views/stack-view.ts'
import { parseStackKey } from '#domain/keys.ts'
import { present } from './shape-run.ts'

/** What a run did with a stack as the API shows it (docs/interface.md, 'RunStackRef'). */
export const shapeRunStackRef = ({ summary, pr_number, started_at, finished_at, job_url, ...ref }: RunStackRef) => ({
  ...ref,
  ...present({ pr_number, summary: summary && present(summary), started_at, finished_at, job_url }),
})

const shapeUsedModule = ({ module_key, ref, latest, behind }: UsedModule) => ({
  module_key,
  ...present({ ref, latest, behind }),
})

/**
 * A stack and the modules it uses as the API shows them (docs/interface.md, 'StackDetail'); a stack that no listed graph ever
 * had is known by its key alone.
 */
export const shapeStack = (
  { node, lock, drift, status, last_plan, last_apply, ...stack }: StackView,
  modules: readonly UsedModule[],
) => ({
  id: stack.id,
  repo: stack.repo,
  key: stack.key,
  ...(node ?? parseStackKey(stack.key)),
  ...present({
    status,
    last_plan: last_plan && shapeRunStackRef(last_plan),
    last_apply: last_apply && shapeRunStackRef(last_apply),
    drift: drift && shapeDrift(drift),
    lock: lock && { stack_id: stack.id, stack_key: stack.key, ...present(lock) },
    dependents: stack.dependents,
    dependencies: stack.dependencies,
    modules: modules.map(shapeUsedModule),
  }),
})

const shapeDrift = ({
  drifted_since,
  summary,
  issue_number,
  issue_url,
  ...drift
}: NonNullable<StackView['drift']>) => ({
  ...drift,
  ...present({ drifted_since, summary: summary && present(summary), issue_number, issue_url }),
})

/** What a check for drift found as the API shows it. */
export const shapeDriftCheck = ({ checked_at, drifted, summary, job_url, ...check }: DriftCheckView) => ({
  ...check,
  // to the millisecond, like all times in the API
  checked_at: new Date(checked_at).toISOString(),
  ...present({ drifted, summary: summary && present(summary), job_url }),
})

import type { PlannedStack } from '#db/runs/planned-stack.ts'
import type { PlacedStack } from './place-stacks.ts'

/** A stack as it was planned, to be scheduled again. */
export const plannedStack = (stack: PlannedStack): PlacedStack => ({
  key: stack.key,
  path: stack.path,
  wave: stack.wave,
  reasons: stack.reasons,
  via: stack.via,
  tool: stack.tool ?? undefined,
  tool_version: stack.tool_version ?? undefined,
  plan_output: stack.plan_output,
  instance: stack.instance ?? undefined,
  workspace: stack.workspace ?? undefined,
  runs_on: stack.runs_on ?? undefined,
})

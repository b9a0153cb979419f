import type { PlannedStack } from '#db/runs/planned-stack.ts'
import type { RepoConfig } from '#domain/config/config-file.ts'
import { pathsKeptToSummary } from '#domain/plan-output.ts'
import { inSteps } from '#portions.ts'
import type { PlacedStack } from './place-stacks.ts'

/**
 * A stack as it was planned, to be scheduled again. Its plan output is judged anew: the default branch may keep to `summary` what it
 * did not when the stack was planned.
 */
const plannedStack = (stack: PlannedStack, kept: ReadonlySet<string>): PlacedStack => ({
  key: stack.key,
  path: stack.path,
  wave: stack.wave,
  reasons: stack.reasons,
  via: stack.via,
  tool: stack.tool ?? undefined,
  tool_version: stack.tool_version ?? undefined,
  plan_output: kept.has(stack.path) ? 'summary' : stack.plan_output,
  instance: stack.instance ?? undefined,
  workspace: stack.workspace ?? undefined,
  environment: stack.environment ?? undefined,
  runs_on: stack.runs_on ?? undefined,
})

/** Stacks as they were planned, under the policy that the default branch has now. `more` is what else is known of each. */
export const plannedStacks = async <S extends PlannedStack>(
  stacks: readonly S[],
  config: RepoConfig,
  more: (stack: S) => Partial<PlacedStack> = () => ({}),
): Promise<PlacedStack[]> => {
  const kept = await inSteps(pathsKeptToSummary(config, new Set(stacks.map(({ path }) => path))))
  return stacks.map((stack) => ({ ...plannedStack(stack, kept), ...more(stack) }))
}

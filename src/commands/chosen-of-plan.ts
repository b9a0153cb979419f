import { appliedByPlans } from '#db/applies.ts'
import { findGraph } from '#db/graphs.ts'
import type { PlanView } from '#db/views/plan-view.ts'
import { applyEnvironment } from '#domain/apply-environment.ts'
import { chooseStacks, type StackChoice } from '#domain/choose-stacks.ts'
import type { RepoConfig } from '#domain/config-file.ts'
import type { Edge } from '#domain/graph.ts'
import type { Deps } from './deps.ts'
import type { GateSubject } from './gate-subject.ts'
import { plannedStack } from './planned-stack.ts'
import type { ScheduledStack } from './schedule-stacks.ts'

/**
 * Which stacks of its plan an apply is of, by keys and globs; none stands for all that are not applied yet. Undefined where
 * there is no plan of the head to choose from: then the gate says what is the matter.
 */
export const chosenOfPlan = async (
  { pool }: Pick<Deps, 'pool'>,
  { repository, pull, plan }: Pick<GateSubject, 'repository' | 'pull' | 'plan'>,
  words: readonly string[],
): Promise<StackChoice | undefined> => {
  if (!plan || plan.sha !== pull.headSha || plan.stacks.length === 0) return undefined
  const by = new Map(plan.stacks.map(({ key, run_id }) => [key, run_id]))
  const done = await appliedByPlans(pool, repository.id, [...new Set(by.values())])
  const applied = new Set(done.filter(({ key, planRunId }) => by.get(key) === planRunId).map(({ key }) => key))
  // megabytes, and of no use where nothing is left out
  const graph = words.length > 0 && plan.graph_id ? await findGraph(pool, plan.graph_id) : undefined
  const edges = (): Edge[] => (graph ? JSON.parse(graph.body).edges : [])
  return chooseStacks({ stacks: plan.stacks, applied }, words, edges)
}

/** The chosen stacks as an apply schedules them: as planned, and in the environments of the default branch. */
export const stacksToApply = (plan: PlanView, keys: readonly string[], config: RepoConfig): ScheduledStack[] => {
  const chosen = new Set(keys)
  return plan.stacks
    .filter(({ key }) => chosen.has(key))
    .map((stack) => ({
      ...plannedStack(stack),
      environment: applyEnvironment(config, { path: stack.path, instance: stack.instance ?? undefined }),
      planRunId: stack.run_id,
    }))
}

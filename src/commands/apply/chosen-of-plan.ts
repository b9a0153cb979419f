import type { PlacedStack } from '#commands/runs/place-stacks.ts'
import { plannedStacks } from '#commands/runs/planned-stack.ts'
import { findEdgesText } from '#db/repositories/graphs.ts'
import { appliedByPlans } from '#db/runs/applies.ts'
import type { PlanView } from '#db/views/runs/plan-view.ts'
import { tagsOfStacks } from '#db/views/stack-tags.ts'
import { applyPlace } from '#domain/config/apply-place.ts'
import type { RepoConfig } from '#domain/config/config-file.ts'
import { causeEdges } from '#domain/graph/cause-edges.ts'
import type { Edge } from '#domain/graph/graph.ts'
import { chooseStacks, type StackChoice } from '#domain/resolution/choose-stacks.ts'
import { storedEdges } from '#domain/resolution/compact-graph.ts'
import { namesTag } from '#domain/resolution/select-keys.ts'
import { inSteps } from '#portions.ts'
import type { Deps } from '../deps.ts'
import type { GateSubject } from './gate-subject.ts'

/**
 * The stacks of the plan that an apply takes, by keys, globs and tags; no words mean all that are not applied yet. Undefined if
 * there is no plan of the head to choose from: then the gate says what is wrong.
 */
export const chosenOfPlan = async (
  { pool }: Pick<Deps, 'pool'>,
  { repository, pull, plan }: Pick<GateSubject, 'repository' | 'pull' | 'plan'>,
  words: readonly string[],
): Promise<StackChoice | undefined> => {
  if (!plan || plan.sha !== pull.headSha || plan.stacks.length === 0) return undefined
  const by = new Map(plan.stacks.map(({ key, run_id }) => [key, run_id]))
  const done = await appliedByPlans(pool, repository.id, [...new Set(by.values())])
  const applied = new Set(done.filter(({ key, plan_run_id }) => by.get(key) === plan_run_id).map(({ key }) => key))
  // long, and not needed if nothing is left out
  const stored = words.length > 0 && plan.graph_id ? await findEdgesText(pool, repository.id, plan.graph_id) : undefined
  const edges = (): Edge[] => [...(stored ? storedEdges(stored) : []), ...causeEdges(plan.stacks)]
  const tags = namesTag(words) ? await tagsOfStacks(pool, repository.id, plan.graph_id) : undefined
  return inSteps(chooseStacks({ stacks: plan.stacks, applied, tags }, words, edges))
}

/**
 * The chosen stacks as an apply schedules them: as planned, in the environments of the default branch, and with no more text than it
 * lets be kept.
 */
export const stacksToApply = (plan: PlanView, keys: readonly string[], config: RepoConfig): Promise<PlacedStack[]> => {
  const chosen = new Set(keys)
  return plannedStacks(
    plan.stacks.filter(({ key }) => chosen.has(key)),
    config,
    (stack) => ({
      ...applyPlace(config, { path: stack.path, instance: stack.instance ?? undefined }),
      plan_run_id: stack.run_id,
    }),
  )
}

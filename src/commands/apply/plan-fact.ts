import { summariesOfPlans } from '#db/views/runs/plan-summaries.ts'
import type { PlanStack, PlanView } from '#db/views/runs/plan-view.ts'
import type { ParsedConfig } from '#domain/config/config-file.ts'
import type { PlanCheck, PlanFact } from '#domain/gate/facts.ts'
import type { Summary } from '#domain/plan-summary.ts'
import type { Deps } from '../deps.ts'

const overtakenBy = ({ run_id: runId, pr_number: prNumber }: NonNullable<PlanStack['overtaken']>) =>
  prNumber === null ? { runId } : { runId, prNumber }

/**
 * The plan as the gate judges it, and what of it ended after it was read for an apply, if that is asked. What plans do is read only for rules
 * that ask for it: of 2,000 stacks it may be a hundred megabytes.
 */
export const readPlanFact = async (
  { pool }: Pick<Deps, 'pool'>,
  policy: ParsedConfig,
  plan: PlanView,
  readAt?: Date | undefined,
): Promise<PlanFact> => {
  const rules = policy.ok ? policy.config.apply.rules : []
  const asksWhatPlansDo = rules.some(({ when, protect }) => when !== undefined || protect !== undefined)
  const summaryOf = asksWhatPlansDo ? await summariesOfPlans(pool, plan.stacks) : () => undefined
  return planFact(plan, summaryOf, readAt)
}

/** A plan that changes nothing needs no reader. */
const isUnread = ({ status, finished_at: at }: PlanStack, readAt: Date | undefined): boolean =>
  readAt !== undefined && status !== 'noop' && at !== null && at > readAt

const planFact = (
  plan: PlanView,
  summaryOf: (stack: PlanStack) => Summary | undefined,
  readAt: Date | undefined,
): PlanFact => ({
  runId: plan.id,
  sha: plan.sha,
  status: plan.status,
  stacks: plan.stacks.map((stack) => {
    const summary = summaryOf(stack)
    return {
      key: stack.key,
      path: stack.path,
      ...(stack.instance === null ? {} : { instance: stack.instance }),
      runId: stack.run_id,
      status: stack.status,
      checks: stack.checks.map(checkFact),
      ...(summary === undefined ? {} : { summary }),
      ...(stack.overtaken ? { overtaken: overtakenBy(stack.overtaken) } : {}),
      ...(isUnread(stack, readAt) ? { unread: true } : {}),
    }
  }),
  ...(plan.failure ? { failure: plan.failure.reason } : {}),
})

const checkFact = ({ name, status, summary, updated_at: at }: PlanStack['checks'][number]): PlanCheck => ({
  name,
  status,
  at,
  ...(summary === null ? {} : { summary }),
})

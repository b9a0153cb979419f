import { chosenOfPlan } from '#commands/apply/chosen-of-plan.ts'
import { type GateSubject, readGateSubject } from '#commands/apply/gate-subject.ts'
import { wavesOf } from '#commands/apply/gate-waves.ts'
import { judgeApply } from '#commands/apply/judge-apply.ts'
import type { PersonOrKey } from '#commands/callers/caller.ts'
import { permitSight } from '#commands/callers/permit-sight.ts'
import type { Deps } from '#commands/deps.ts'
import { present } from '#commands/shapes/shape-run.ts'
import { findRun, type RunRow } from '#db/machines/runs.ts'
import { findRepository, type Repository } from '#db/repositories/repositories.ts'
import { findDecision, wavesOfRun } from '#db/runs/gate-decisions.ts'
import { command } from '#domain/comments/comment-command.ts'
import { layerFacts } from '#domain/gate/evaluate-gate.ts'
import type { StackChoice } from '#domain/resolution/choose-stacks.ts'
import { Problem } from '#errors.ts'

/**
 * The gate of a run (docs/interface.md, 'GET /v1/runs/{id}/gate'): of a plan run as it is now, without an apply; of an apply, what it
 * found when the apply passed. `facts` holds what each layer decided from.
 */
export const readGate = async (deps: Deps, caller: PersonOrKey, runId: string) => {
  const absent = () => new Problem('not_found', `run ${runId} does not exist`)
  const run = await findRun(deps.pool, runId)
  const repository = run && (await findRepository(deps.pool, run.repo_id))
  if (!run || !repository || repository.removed) throw absent()
  await permitSight(deps.pool, caller, repository.id, absent)
  if (run.mode === 'drift') throw new Problem('conflict', 'the run is a check for drift: nothing is applied by it')
  return run.mode === 'apply' ? decided(deps, run) : dryRun(deps, caller, run, repository)
}

const decided = async ({ pool }: Deps, run: RunRow) => {
  const decision = await findDecision(pool, run.id)
  if (!decision) throw new Problem('conflict', 'what the gate found was not kept yet when this apply began')
  const { asked_by, facts, decided_at } = decision
  return {
    allowed: true,
    failures: [],
    facts,
    decided_at: decided_at.toISOString(),
    ...present({ asked_by, waves: await wavesOfRun(pool, run.id) }),
  }
}

/** Judged like a comment of the person who reads it; an API key cannot comment and is no one in particular. */
const dryRun = async (deps: Deps, caller: PersonOrKey, run: RunRow, repository: Repository) => {
  if (run.pr_number === null) throw new Problem('conflict', 'the run has no pull request that could be applied')
  if (repository.suspended) throw new Problem('forbidden', `the installation on ${repository.full_name} is suspended`)
  const subject = await readGateSubject(deps, repository, run.pr_number)
  if (!subject)
    throw new Problem('not_found', `pull request ${run.pr_number} of ${repository.full_name} does not exist`)
  const asker = caller.kind === 'person' ? { requester: caller.login, requesterId: caller.id } : {}
  const choice = await chosenOfPlan(deps, subject, [])
  const stacks = choice?.kind === 'chosen' ? choice.keys : undefined
  const { report } = await judgeApply(deps, subject, { how: 'dry_run', askedSha: run.sha, stacks, ...asker })
  return {
    allowed: report.allowed,
    failures: report.failures,
    facts: layerFacts(report),
    ...present({
      asked_by: asker.requester,
      comment: commentFor(subject, choice),
      waves: wavesOf(subject.plan?.stacks ?? [], stacks ?? []),
    }),
  }
}

/** What starts an apply once nothing is in the way; undefined if no comment does, or everything is applied. */
const commentFor = ({ policy }: GateSubject, choice: StackChoice | undefined): string | undefined =>
  policy.ok && policy.config.apply.mode === 'comment' && choice?.kind !== 'applied' ? command('apply') : undefined

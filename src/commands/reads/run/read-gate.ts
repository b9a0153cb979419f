import type { GateSubject } from '#commands/apply/gate-subject.ts'
import type { PersonOrKey } from '#commands/callers/caller.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { present } from '#commands/shapes/shape-run.ts'
import type { RunRow } from '#db/machines/runs.ts'
import { findDecision, wavesOfRun } from '#db/runs/gate-decisions.ts'
import { command } from '#domain/comments/comment-command.ts'
import type { StackChoice } from '#domain/resolution/choose-stacks.ts'
import { Problem } from '#errors.ts'
import { dryRun, shapeDryRun } from './dry-run.ts'
import { gatedRun } from './gated-run.ts'

/**
 * The gate of a run (docs/interface.md, 'GET /v1/runs/{id}/gate'): of a plan run as it is now, without an apply; of an apply, what it
 * found when the apply passed. `facts` holds what each layer decided from.
 */
export const readGate = async (deps: RequestDeps, caller: PersonOrKey, runId: string) => {
  const gated = await gatedRun(deps, caller, runId)
  if (gated.run.mode === 'apply') return decided(deps, gated.run)
  const judged = await dryRun(deps, caller, gated)
  return { ...shapeDryRun(judged), ...present({ comment: commentFor(judged.subject, judged.choice) }) }
}

const decided = async ({ pool, rowsOf }: RequestDeps, run: RunRow) => {
  const decision = await findDecision(pool, run.id)
  if (!decision) throw new Problem('conflict', 'what the gate found was not kept yet when this apply began')
  const { asked_by, facts, decided_at } = decision
  return {
    allowed: true,
    failures: [],
    facts,
    decided_at: decided_at.toISOString(),
    ...present({ asked_by, waves: await wavesOfRun((await rowsOf(run.id)).pool, run.id) }),
  }
}

/** What starts an apply once nothing is in the way; undefined if no comment does, or everything is applied. */
const commentFor = ({ policy }: GateSubject, choice: StackChoice | undefined): string | undefined =>
  policy.ok && policy.config.apply.mode === 'comment' && choice?.kind !== 'applied' ? command('apply') : undefined

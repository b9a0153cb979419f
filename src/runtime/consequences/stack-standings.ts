import type { ResultRow } from '#db/machines/results.ts'
import type { StandingChange } from '#db/machines/stack-standings.ts'
import { hasRun } from '#domain/run-status.ts'
import { statusOf } from '#machines/index.ts'
import type { Actor, RunActor, StackActor } from '../actor.ts'
import { runOf, type Stage } from '../stage.ts'

/** How stacks stand by what a batch did to their rows, in the order of stacks: they are locked in it. */
export const standingsAfter = (
  stage: Stage,
  dirty: readonly Actor[],
  results: readonly ResultRow[],
): StandingChange[] => {
  const bodies = new Map(results.map((row) => [`${row.run_id} ${row.stack_id}`, row.body]))
  const byStack = new Map<string, StandingChange>()
  for (const actor of dirty) {
    const run = actor.kind === 'stack' ? runOf(stage, actor) : undefined
    if (actor.kind !== 'stack' || !run) continue
    const { run_id, stack_id } = actor.row
    const change = changeOf(actor, run, bodies.get(`${run_id} ${stack_id}`))
    const other = byStack.get(stack_id)
    byStack.set(stack_id, other ? together(other, change) : change)
  }
  return [...byStack.values()].sort((a, b) => (a.stack_id < b.stack_id ? -1 : 1))
}

const changeOf = (actor: StackActor, run: RunActor, body: ResultRow['body'] | undefined): StandingChange => {
  const { created_at: at, mode } = run.row
  const ref = hasRun(statusOf(actor.snapshot)) ? refOf(actor, run, body) : null
  const [plan, apply] = [mode === 'plan' ? ref : null, mode === 'apply' ? ref : null]
  return {
    ...{ stack_id: actor.row.stack_id, run_id: run.id, run_at: at, status: statusOf(actor.snapshot) },
    ...{ last_plan: plan, plan_at: plan && at, last_apply: apply, apply_at: apply && at },
  }
}

/** As the API shows it (docs/interface.md, 'RunStackRef'); superseded, blocked or skipped, a run did nothing with the stack. */
const refOf = (actor: StackActor, { id, row }: RunActor, body: ResultRow['body'] | undefined) => ({
  ...{ run_id: id, sha: row.sha, pr_number: row.pr_number, mode: row.mode, status: statusOf(actor.snapshot) },
  summary: body?.summary ?? null,
  started_at: actor.startedAt,
  finished_at: actor.finishedAt,
  job_url: body?.job_url ?? null,
})

type Place = { at: Date | null; run: string }

const isLater = (a: Place, b: Place): boolean =>
  +(a.at ?? 0) > +(b.at ?? 0) || (+(a.at ?? 0) === +(b.at ?? 0) && a.run > b.run)

/** Of two runs that have the stack: one batch may be of many. */
const together = (a: StandingChange, b: StandingChange): StandingChange => {
  const [newest, older] = isLater({ at: a.run_at, run: a.run_id }, { at: b.run_at, run: b.run_id }) ? [a, b] : [b, a]
  const plan = newest.last_plan ? newest : older
  const apply = newest.last_apply ? newest : older
  return {
    ...newest,
    ...{ last_plan: plan.last_plan, plan_at: plan.plan_at, last_apply: apply.last_apply, apply_at: apply.apply_at },
  }
}

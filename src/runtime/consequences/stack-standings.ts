import type { StandingChange } from '#db/machines/stack-standings.ts'
import { hasRun } from '#domain/run-status.ts'
import { statusOf } from '#machines/index.ts'
import type { Actor, RunActor } from '../actor.ts'
import { runOf, type Stage } from '../stage.ts'

type Standing = Omit<StandingChange, 'stack_ids'>

/** How stacks stand by what a batch did to their rows: one for all that stand alike. */
export const standingsAfter = (stage: Stage, dirty: readonly Actor[]): StandingChange[] => {
  const standings = new Map<string, Standing>()
  const byStack = new Map<string, Standing>()
  for (const actor of dirty) {
    const run = actor.kind === 'stack' ? runOf(stage, actor) : undefined
    if (actor.kind !== 'stack' || !run) continue
    const { stack_id } = actor.row
    const status = statusOf(actor.snapshot)
    const standing = standings.get(`${run.id} ${status}`) ?? standingOf(status, run)
    standings.set(`${run.id} ${status}`, standing)
    const other = byStack.get(stack_id)
    byStack.set(stack_id, other ? together(other, standing) : standing)
  }
  const alike = Map.groupBy(byStack, ([, standing]) => standing)
  return [...alike].map(([standing, stacks]) => ({ ...standing, stack_ids: stacks.map(([id]) => id) }))
}

/** Superseded, blocked or skipped, a run did nothing with the stack. */
const standingOf = (status: string, { id, row: { created_at: at, mode } }: RunActor): Standing => {
  const isLast = (of: typeof mode): boolean => mode === of && hasRun(status)
  return {
    ...{ run_id: id, run_at: at, status },
    ...(isLast('plan') ? { plan_run_id: id, plan_at: at } : { plan_run_id: null, plan_at: null }),
    ...(isLast('apply')
      ? { apply_run_id: id, apply_at: at, apply_status: status }
      : { apply_run_id: null, apply_at: null, apply_status: null }),
  }
}

type Place = { at: Date | null; run: string }

const isLater = (a: Place, b: Place): boolean =>
  +(a.at ?? 0) > +(b.at ?? 0) || (+(a.at ?? 0) === +(b.at ?? 0) && a.run > b.run)

/** Of two runs that have the stack: one batch may be of many. */
const together = (a: Standing, b: Standing): Standing => {
  const [newest, older] = isLater({ at: a.run_at, run: a.run_id }, { at: b.run_at, run: b.run_id }) ? [a, b] : [b, a]
  const { plan_run_id, plan_at } = newest.plan_run_id ? newest : older
  const { apply_run_id, apply_at, apply_status } = newest.apply_run_id ? newest : older
  return { ...newest, plan_run_id, plan_at, apply_run_id, apply_at, apply_status }
}

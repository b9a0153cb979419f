import { isOthers } from './locks.ts'
import { isOpen, lockOf, type Model, type Row, type Run, wavesOf } from './model.ts'
import { pullOf } from './pulls.ts'

/* Whether an apply may begin, and of what (docs/gate.md). People and checks are left out: everybody may, and none fails. */

type Planned = { run: Run; row: Row }
/** The plan of a pull request: its newest, and over it what was planned again on the same commit. */
type Plan = { whole: Run; isOpen: boolean; stacks: Map<string, Planned> }

const planOf = (model: Model, number: number): Plan | undefined => {
  const own = model.runs.filter(({ pull, mode }) => pull === number && mode === 'plan')
  const whole = own.findLast(({ trigger }) => trigger === 'pull_request')
  if (!whole) return undefined
  const runs = own.slice(own.indexOf(whole)).filter(({ sha }) => sha === whole.sha)
  const stacks = new Map<string, Planned>()
  for (const run of runs) for (const [key, row] of Object.entries(run.rows)) stacks.set(key, { run, row })
  return { whole, stacks, isOpen: runs.some(({ status }) => status === 'pending' || status === 'planning') }
}

const appliesOf = (model: Model, key: string): Planned[] =>
  model.runs.flatMap((run) => {
    const row = run.mode === 'apply' ? run.rows[key] : undefined
    return row ? [{ run, row }] : []
  })

const changed = new Set(['applied', 'failed', 'unknown', 'unconfirmed'])

/** An apply brought the stack to what this plan says, and no other has changed it since. */
const isApplied = (model: Model, key: string, plan: Run): boolean => {
  const applies = appliesOf(model, key)
  return applies.some(
    ({ run, row }, index) =>
      row.plan === plan.id &&
      (row.status === 'applied' || row.status === 'noop') &&
      !applies
        .slice(index + 1)
        .some(
          (later) => later.run.pull !== run.pull && (later.row.status === 'applying' || changed.has(later.row.status)),
        ),
  )
}

/** Another plan's apply has changed the stack after it was planned. */
const isOvertaken = (model: Model, key: string, planned: Planned): boolean =>
  appliesOf(model, key).some(
    ({ row }) => row.plan !== planned.run.id && changed.has(row.status) && row.at > planned.row.at,
  )

/** The names of the layers that refuse, in gate.md's order; and what would be applied. */
export type Judged = { refusing: string[]; keys: string[]; isDone: boolean }

export const judge = (model: Model, number: number): Judged => {
  const pull = pullOf(model, number)
  const plan = planOf(model, number)
  const all = [...(plan?.stacks ?? [])]
  const isOfHead = plan?.whole.sha === pull.sha
  const keys = all.filter(([key, { run }]) => !isOfHead || !isApplied(model, key, run)).map(([key]) => key)
  const isLocked = keys.some((key) => isOthers(lockOf(model, key), number))
  const isInFlight = model.runs.some((run) => run.pull === number && run.mode === 'apply' && isOpen(run))
  return {
    refusing: [
      ...(pull.state === 'open' ? [] : ['mergeable']),
      ...(plan && isPlanned(model, plan, keys) && isOfHead ? [] : ['plan']),
      ...(isLocked ? ['lock'] : []),
      ...(isInFlight ? ['in_flight'] : []),
    ],
    keys,
    isDone: isOfHead && all.length > 0 && keys.length === 0,
  }
}

const isPlanned = (model: Model, plan: Plan, keys: readonly string[]): boolean => {
  const { whole, stacks } = plan
  if (plan.isOpen || whole.status === 'superseded' || whole.unresolved || stacks.size === 0) return false
  return keys.every((key) => {
    const planned = stacks.get(key)
    if (!planned || isOvertaken(model, key, planned)) return false
    return planned.row.status === 'planned' || planned.row.status === 'noop'
  })
}

/** The stacks that `svc plan` plans again; undefined if it plans nothing. */
export const replannable = (model: Model, number: number): string[] | undefined => {
  const pull = pullOf(model, number)
  const plan = planOf(model, number)
  const isApplying = model.runs.some((run) => run.pull === number && run.mode === 'apply' && isOpen(run))
  if (pull.state !== 'open' || !plan || plan.whole.sha !== pull.sha || plan.isOpen || isApplying) return undefined
  if (plan.whole.unresolved || plan.whole.status === 'superseded' || plan.stacks.size === 0) return undefined
  return [...plan.stacks.keys()]
}

/** The apply of a plan's stacks: in the plan's waves, without those that none of them is in. */
export const newApply = (model: Model, id: string, number: number, keys: readonly string[]): Run => {
  const plan = planOf(model, number)
  const planned = (key: string): Planned | undefined => plan?.stacks.get(key)
  const waves = [...new Set(keys.map((key) => planned(key)?.row.wave ?? 0))].sort((a, b) => a - b)
  const rows = keys.map((key): [string, Row] => [
    key,
    {
      ...{ wave: waves.indexOf(planned(key)?.row.wave ?? 0), status: 'pending', at: 0, blockedBy: [] },
      plan: planned(key)?.run.id ?? '',
    },
  ])
  return {
    ...emptyApply(id, pullOf(model, number).sha),
    trigger: 'comment',
    pull: number,
    rows: Object.fromEntries(rows),
  }
}

/** The apply of an API key, of stacks that it names. */
export const newManual = (model: Model, id: string, sha: string, keys: readonly string[]): Run => {
  const waves = wavesOf(model.graph, keys)
  const rows = keys.map((key): [string, Row] => [
    key,
    { wave: waves[key] ?? 0, status: 'pending', at: 0, blockedBy: [] },
  ])
  return { ...emptyApply(id, sha), trigger: 'manual', rows: Object.fromEntries(rows) }
}

const emptyApply = (id: string, sha: string): Omit<Run, 'trigger' | 'rows'> => ({
  ...{ id, mode: 'apply', sha, status: 'pending', superseding: false, holding: false, wave: 0 },
  ...{ dispatches: [], unresolved: false },
})

import { hearFinished, hearSettled, take } from './locks.ts'
import { isOpen, lockOf, type Model, needsOf, type Row, type Run, rowOf } from './model.ts'

/* How the stacks of a run end, and the run with them (docs/interface.md, 'States'). */

const broken = new Set(['failed', 'unknown', 'unconfirmed'])

const rowsOf = (run: Run): [string, Row][] => Object.entries(run.rows)
const has = (run: Run, ...statuses: string[]): boolean =>
  rowsOf(run).some(([, { status }]) => statuses.includes(status))

export type Ending = { byResult: boolean; result?: string }

/** A stack ends: the run counts it, then its lock hears of it. */
export const settle = (model: Model, run: Run, key: string, status: string, ending: Ending): void => {
  const row = rowOf(run, key)
  const from = row.status
  model.tick += 1
  row.status = status
  row.at = model.tick
  if (ending.result !== undefined) row.result = ending.result
  if (run.mode === 'plan') judgePlan(run, from)
  else {
    judgeApply(model, run, status, from)
    hearSettled(lockOf(model, key), { run, status, byResult: ending.byResult, fence: row.fence })
  }
}

const judgePlan = (run: Run, from: string): void => {
  if (has(run, 'pending', 'planning')) return
  const isLate = run.status === 'failed' && from === 'unknown'
  if (run.status !== 'planning' && !isLate) return
  if (has(run, 'failed', 'unknown')) run.status = 'failed'
  else run.status = has(run, 'unconfirmed') ? 'unconfirmed' : 'planned'
}

const judgeApply = (model: Model, run: Run, status: string, from: string): void => {
  const isLate = run.status === 'failed' && from === 'unknown'
  if (isLate) judgeLate(model, run)
  if (isLate || run.status !== 'applying') return
  const isWaveOpen = rowsOf(run).some(([, row]) => row.wave === run.wave && isOpen(row))
  if (isWaveOpen) {
    if (status === 'failed' || status === 'unconfirmed') block(model, run)
  } else if (run.superseding) end(model, run, 'superseded')
  else if (has(run, 'failed', 'unknown')) end(model, run, 'failed')
  else if (has(run, 'unconfirmed')) end(model, run, 'unconfirmed')
  else if (has(run, 'blocked', 'skipped')) end(model, run, 'failed')
  else if (has(run, 'pending')) goOn(model, run)
  else end(model, run, 'applied')
}

/** Its next wave begins, or is held by a window until it is asked for again; a manual run's caller knows of the windows, and is not. */
export const goOn = (model: Model, run: Run): void => {
  const wave = nextWave(run)
  run.holding = model.isFrozen && run.trigger !== 'manual'
  if (run.holding) run.wave = wave
  else startWave(model, run, wave)
}

const nextWave = (run: Run): number =>
  Math.min(...rowsOf(run).flatMap(([, { status, wave }]) => (status === 'pending' ? [wave] : [])))

/** The late result of a stack that nobody saw end: it may be the last that kept the apply failed. */
const judgeLate = (model: Model, run: Run): void => {
  if (has(run, 'failed', 'unknown', 'pending', 'applying')) return
  if (has(run, 'unconfirmed')) end(model, run, 'unconfirmed')
  else if (!has(run, 'blocked', 'skipped')) end(model, run, 'applied')
}

/** All that depend on a stack that broke, and have not begun, name every such stack. */
const block = (model: Model, run: Run): void => {
  for (const [key, row] of rowsOf(run)) {
    if (row.status !== 'pending' && row.status !== 'blocked') continue
    const by = [...needsOf(model.graph, key)].filter((need) => broken.has(run.rows[need]?.status ?? '')).sort()
    if (by.length === 0) continue
    const isNew = row.status === 'pending'
    row.blockedBy = [...new Set([...row.blockedBy, ...by])].sort()
    if (isNew) settle(model, run, key, 'blocked', { byResult: false })
  }
}

const end = (model: Model, run: Run, status: Run['status']): void => {
  run.holding = false
  if (status !== 'applied') {
    // over before the rest is told: what is blocked and skipped ends nothing again
    run.status = status
    block(model, run)
    for (const [key, row] of rowsOf(run))
      if (row.status === 'pending') settle(model, run, key, 'skipped', { byResult: false })
  }
  run.status = status
  for (const [key, row] of rowsOf(run)) hearFinished(lockOf(model, key), run, row.status)
}

const startWave = (model: Model, run: Run, wave: number): void => {
  run.wave = wave
  for (const [, row] of rowsOf(run)) if (row.wave === wave && row.status === 'pending') row.status = 'applying'
  if (run.trigger !== 'manual') model.due.push(run.id)
}

/** An apply begins: it takes the locks of its stacks, and sends out its first wave. */
export const beginApply = (model: Model, run: Run): void => {
  model.runs.push(run)
  run.status = 'applying'
  for (const [key, row] of rowsOf(run)) row.fence = take(lockOf(model, key), run)
  startWave(model, run, 0)
}

/** A newer commit came: what is out is waited for, and of what waits nothing is. */
export const supersedeApply = (model: Model, run: Run): void => {
  if (run.holding) end(model, run, 'superseded')
  else run.superseding = true
}

/** The stacks of a plan run that is cut off. */
export const supersedePlan = (run: Run): void => {
  for (const [, row] of rowsOf(run)) if (isOpen(row)) row.status = 'superseded'
  run.status = 'superseded'
}

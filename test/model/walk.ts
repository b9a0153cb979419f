import { isDeepStrictEqual } from 'node:util'
import { stranded } from './reach.ts'
import {
  type Address,
  broken,
  build,
  type Event,
  isOpen,
  type Moment,
  type Place,
  replayed,
  runId,
  runState,
  type System,
  send,
  snapshotOf,
  stackState,
} from './system.ts'

/** The same numbers for the same seed: a failing walk can be repeated. */
const random = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}
type Random = ReturnType<typeof random>
const pick = <T>(next: Random, choices: readonly T[]): T => choices[next(choices.length)] as T

/** A random graph of up to seven stacks; each is in the wave after the last of its dependencies. */
const grow = (next: Random): Place[] => {
  const places: Place[] = []
  for (const key of 'abcdefg'.slice(0, 1 + next(7))) {
    const needed = places.filter(() => next(3) === 0)
    places.push({
      key,
      needs: needed.map((place) => place.key),
      wave: Math.max(-1, ...needed.map((place) => place.wave)) + 1,
      reaches: new Set(needed.flatMap((place) => [place.key, ...place.reaches])),
    })
  }
  return places
}

const totals = (places: Place[]): number[] => {
  const waves = Math.max(...places.map((place) => place.wave)) + 1
  return Array.from({ length: waves }, (_, wave) => places.filter((place) => place.wave === wave).length)
}

const at = '2026-03-01T12:00:00Z'

type Message = [Address, Event]

/** How the walk begins: the messages with which the commands create the run. */
const opening = (mode: 'plan' | 'apply', places: Place[], manual: boolean): Message[] => {
  const holder = manual ? { manual } : { pr_number: 7 }
  const taken = places.map(
    ({ key }): Message => [
      { kind: 'lock', key },
      { type: 'lock.requested', run_id: runId, ...holder, at },
    ],
  )
  if (mode === 'plan') return [[{ kind: 'run' }, { type: 'graph.resolved', tallies: totals(places) }]]
  return [...taken, [{ kind: 'run' }, { type: 'apply.requested', tallies: totals(places) }]]
}

const result = (next: Random, key: string): Event => {
  const outcome = pick(next, ['changes', 'changes', 'changes', 'none', 'failed', 'unconfirmed'] as const)
  return { type: 'result.reported', outcome, digest: `${key} ${outcome}` }
}

/** Any message that may come from outside, sensible or not. */
const anything = (next: Random, system: System): Message => {
  const { key, wave } = pick(next, system.places)
  const apply_in_flight = isOpen(system, key)
  const dispatched: Event[] = [
    { type: 'dispatch.sent' },
    { type: 'dispatch.refused', status: 422, message: 'No ref found' },
    { type: 'resend.due' },
    { type: 'workflow.bound', workflow_run_id: 1 + wave, attempt: 1 },
    { type: 'workflow.completed', conclusion: 'failure', attempt: 1 },
    { type: 'runner.lost' },
  ]
  const locked: Event[] = [
    { type: 'pull_request.closed', pr_number: 7, merged: next(2) === 0, apply_in_flight },
    { type: 'pull_request.reopened', pr_number: 7 },
    { type: 'lock.requested', run_id: 'run-2', pr_number: 8, at },
    { type: 'reminder.due' },
  ]
  const chance = next(20)
  if (chance < 9) return [{ kind: 'stack', key }, result(next, key)]
  if (chance < 11)
    return [
      { kind: 'stack', key },
      { type: 'runner.lost', reason: 'workflow_finished' },
    ]
  if (chance < 17) return [{ kind: 'dispatch', wave }, pick(next, dispatched)]
  if (chance < 19) return [{ kind: 'lock', key }, pick(next, locked)]
  const isLost = next(2) === 0 && system.armed.has('run caller')
  return [{ kind: 'run' }, isLost ? { type: 'runner.lost' } : { type: 'head.replaced', run_id: 'run-2', sha: 'c0ffee' }]
}

const succeeded = new Set(['planned', 'applied', 'noop'])
const finals = new Set(['planned', 'applied', 'failed', 'unconfirmed', 'superseded'])

const tallyOf = (state: string): string =>
  succeeded.has(state) ? 'succeeded' : ['pending', 'planning', 'applying'].includes(state) ? 'open' : state

/** Invariants about a moment: a wave that starts, a settled row that moves, a stack that is blocked or skipped. */
const wrongMoment = ({ name, event, from, to, system }: Moment): (string | false)[] => {
  const place = system.places.find(({ key }) => name === `stack ${key}`)
  if (!place) return []
  const earlier = system.places.filter(({ wave }) => wave < place.wave)
  const breaking = [...place.reaches].filter((key) => broken.has(stackState(system, key))).sort()
  const context = snapshotOf(system, { kind: 'stack', key: place.key })?.context
  return [
    event.type === 'stack.started' &&
      system.mode === 'apply' &&
      earlier.some(({ key }) => !succeeded.has(stackState(system, key))) &&
      '2: a stack started before the wave before had succeeded',
    tallyOf(from) !== 'open' && from !== 'unknown' && from !== to && '7: a settled row moved',
    to === 'blocked' && breaking.length === 0 && '8: blocked without a broken predecessor',
    to === 'blocked' &&
      breaking.some((key) => !context?.blocked_by.includes(key)) &&
      '8: a broken predecessor is not named',
    to === 'skipped' && breaking.length > 0 && 'skipped, though a predecessor broke',
  ]
}

/** Invariants between messages. */
const wrongState = (system: System): (string | false)[] => {
  const state = runState(system)
  const { tallies } = snapshotOf(system, { kind: 'run' })!.context
  const rows = system.places.map(({ key, wave }) => ({ wave, as: tallyOf(stackState(system, key)) }))
  const counted = tallies.map(({ total: _, ...tally }) => tally)
  const counts = counted.map((tally, wave) =>
    Object.fromEntries(
      Object.keys(tally).map((as) => [as, rows.filter((row) => row.wave === wave && row.as === as).length]),
    ),
  )
  const locks = system.places.map(({ key }) => ({ key, lock: snapshotOf(system, { kind: 'lock', key })! }))
  return [
    finals.has(state) !== !system.places.some(({ key }) => isOpen(system, key)) &&
      `3: ${state}, and stacks can still move`,
    !isDeepStrictEqual(counted, counts) && '4: the tallies are not the counts of the rows',
    locks.some(({ lock }) => (lock.value !== 'free') !== (lock.context.run_id !== undefined)) && '1: held by nobody',
    locks.some(({ key, lock }) => (lock.value !== 'free') !== system.armed.has(`lock ${key} reminder`)) &&
      'a lock without its reminder, or the reverse',
    system.mode === 'apply' &&
      locks.some(({ key, lock }) => stackState(system, key) === 'unknown' && lock.value === 'free') &&
      'an unknown stack without its lock',
  ]
}

export type Walk = { seed: number; mode: 'plan' | 'apply'; manual: boolean }

/** One walk: opens a run, lets anything happen, then lets every open job report until the run has ended. */
export const walk = ({ seed, mode, manual }: Walk, ends: Map<string, number>): string[] => {
  const next = random(seed)
  const places = grow(next)
  const first = build(mode, places, manual)
  let system = first
  const wrong: string[] = []
  const say = (found: (string | false)[]) => {
    for (const words of found) if (words) wrong.push(`seed ${seed}, ${mode}: ${words}`)
  }
  const take = ([to, event]: Message, settled = true) => {
    const sent = send(system, to, event)
    if (typeof sent === 'string') return
    system = sent.system
    say([...sent.moments.flatMap(wrongMoment), ...(settled ? [...wrongState(system), ...stranded(system)] : [])])
  }
  for (const message of opening(mode, places, manual)) take(message, message[0].kind === 'run')
  for (let step = 0; step < 30; step++) take(anything(next, system))
  for (let round = 0; round < places.length; round++) {
    const out = places.filter(({ key }) => ['planning', 'applying'].includes(stackState(system, key)))
    for (const { key } of out)
      take([
        { kind: 'stack', key },
        { type: 'result.reported', outcome: 'none', digest: key },
      ])
  }
  say([!finals.has(runState(system)) && `every job has reported, and the run is ${runState(system)}`])
  const again = replayed(system, first)
  say([!isDeepStrictEqual(again, system.machines) && '5: the journals replay to something else'])
  ends.set(runState(system), (ends.get(runState(system)) ?? 0) + 1)
  return wrong
}

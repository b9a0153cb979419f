import type { Kind } from '#machines/index.ts'
import { runState, type System, snapshotOf, stackState } from './system.ts'

/*
 * What leads each machine on: its timer, a job, or something outside that is named here. A machine that is not at its end and
 * has none of them waits for ever.
 */

const ended = new Set(['planned', 'applied', 'failed', 'unconfirmed', 'superseded'])

/** By state: news from outside, each of which the patrol also looks for by itself (src/commands/patrol). */
const outside: { readonly [K in Kind]?: Readonly<Record<string, string>> } = {
  run: {
    pending: "a job's upload, or a newer commit",
    planning: "the results of its jobs, or their workflow run's end",
  },
  dispatch: { bound: 'the end of its workflow run' },
}

/** The job that a machine queued when it came to this state; the patrol queues it again where it is missing. */
const jobs: { readonly [K in Kind]?: Readonly<Record<string, string>> } = { dispatch: { requested: 'send_dispatch' } }

const timers: { readonly [K in Kind]?: Readonly<Record<string, string>> } = {
  dispatch: { refused: 'resend', awaiting: 'pickup' },
}

const waves = (system: System): number[] => [...new Set(system.places.map(({ wave }) => wave))]

/** Whether something will lead this dispatch on. */
const leads = (system: System, wave: number): boolean => {
  const state = snapshotOf(system, { kind: 'dispatch', wave })?.value
  if (typeof state !== 'string') return false
  const timer = timers.dispatch?.[state]
  if (timer !== undefined) return system.armed.has(`dispatch ${wave} ${timer}`)
  return (outside.dispatch?.[state] ?? jobs.dispatch?.[state]) !== undefined
}

const ofRun = (system: System): (string | false)[] => {
  const state = runState(system)
  if (ended.has(state) || outside.run?.[state] !== undefined) return []
  const context = snapshotOf(system, { kind: 'run' })?.context
  if (context?.manual)
    return [!system.armed.has('run caller') && `a manual run is ${state}, and nobody waits for its caller`]
  const out = system.places.filter(({ key }) => stackState(system, key) === 'applying')
  return [
    out.length === 0 && `the run is ${state}, and no stack of it is under way`,
    ...out.map(({ key, wave }) => !leads(system, wave) && `${key} is applying, and nothing leads its dispatch on`),
  ]
}

/** What waits for ever in this state of the system, in words. */
export const stranded = (system: System): (string | false)[] => [
  ...ofRun(system),
  ended.has(runState(system)) && system.armed.has('run caller') && 'a run has ended, and its caller is awaited',
  ...waves(system).map((wave) => {
    const state = snapshotOf(system, { kind: 'dispatch', wave })?.value
    const isOver = state === undefined || state === 'lost' || state === 'completed'
    return (
      !isOver && !leads(system, wave) && `the dispatch of wave ${wave} is ${String(state)}, and nothing leads it on`
    )
  }),
  ...system.places.map(({ key }) => {
    const isHeld = snapshotOf(system, { kind: 'lock', key })?.value !== 'free'
    return isHeld && !system.armed.has(`lock ${key} reminder`) && `the lock of ${key} is held, and nobody is reminded`
  }),
]

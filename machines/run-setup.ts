import { assertEvent, assign, enqueueActions, setup } from 'xstate'
import { z } from 'zod'
import { Mode, type RunEvent, Trigger } from './events.ts'
import { type NamedAction, named, refuse } from './named.ts'
import { count, countable, openTallies, openWave, type Settled, supersedeOpen, Tally } from './tallies.ts'
import {
  type LateVerdict,
  lateVerdict,
  type PlanVerdict,
  planVerdict,
  type WaveVerdict,
  waveVerdict,
} from './verdicts.ts'

export const RunInput = z.strictObject({
  mode: Mode,
  trigger: Trigger,
  manual: z.boolean(),
  /** Seconds within which the caller of a manual run reports a stack; a day unless given. */
  runner_timeout: z.int().positive().optional(),
  /** The policy has windows that hold waves: before each but the first it is asked whether it may begin. */
  asks_windows: z.boolean().optional(),
})

const day = 24 * 60 * 60

/** Never holds the rows of the stacks: a result must cost the same in a run of ten and in one of ten thousand. */
export const RunContext = RunInput.extend({
  /** The wave in progress, 0-based. */
  wave: z.int().nonnegative(),
  tallies: z.array(Tally),
  /** What was last said of why its wave waits. */
  held: z.string().optional(),
  superseded_by: z.strictObject({ run_id: z.string().optional(), sha: z.string() }).optional(),
})
export type RunContext = z.infer<typeof RunContext>

export const openRun = (input: z.infer<typeof RunInput>): RunContext => ({ ...input, wave: 0, tallies: [] })

const totalsOf = (event: RunEvent): number[] => {
  assertEvent(event, ['graph.resolved', 'replan.requested', 'apply.requested'])
  return event.tallies
}
const settledOf = (event: RunEvent): Settled => {
  assertEvent(event, 'stack.settled')
  return event
}

/** Starts the wave's stacks and sends out its jobs, unless the run is manual: then its caller runs them and reports. */
const releaseWave = enqueueActions<RunContext, RunEvent, undefined, RunEvent, never, NamedAction, never>(
  ({ context, enqueue }) => {
    enqueue({ type: 'startWave', params: { wave: context.wave } })
    if (!context.manual) enqueue({ type: 'dispatchWave', params: { wave: context.wave } })
  },
)

/** A manual run has no dispatch whose end would be seen: its caller must report something from time to time. */
const awaitCaller = enqueueActions<RunContext, RunEvent, undefined, RunEvent, never, NamedAction, never>(
  ({ context, enqueue }) => {
    if (!context.manual) return
    const event = { type: 'runner.lost' } as const
    enqueue({ type: 'scheduleTimer', params: { name: 'caller', event, seconds: context.runner_timeout ?? day } })
  },
)

const awaitNobody = enqueueActions<RunContext, RunEvent, undefined, RunEvent, never, NamedAction, never>(
  ({ context, enqueue }) => {
    if (context.manual) enqueue({ type: 'cancelTimer', params: { name: 'caller' } })
  },
)

/** The wave waits for so long, and is asked for again: a policy may change meanwhile. What is said twice is a warning once. */
const hearHold = enqueueActions<RunContext, RunEvent, undefined, RunEvent, never, NamedAction, never>(
  ({ context, event, enqueue }) => {
    assertEvent(event, 'wave.held')
    const { seconds, message } = event
    const due = { type: 'window.due' } as const
    enqueue({ type: 'scheduleTimer', params: { name: 'window', event: due, seconds } })
    if (message === context.held) return
    enqueue({ type: 'addWarning', params: { code: 'wave_held', message } })
    enqueue.assign({ held: message })
    enqueue({ type: 'publishRun', params: undefined })
  },
)

/** What the statechart of a run may name: its context, its own assignments, and its guards (run.ts has the states). */
export const runSetup = setup({
  types: { context: {} as RunContext, events: {} as RunEvent, input: {} as RunContext },
  actions: {
    ...named,
    refuse,
    releaseWave,
    awaitCaller,
    awaitNobody,
    hearHold,
    clearHold: assign({ held: undefined }),
    openTallies: assign(({ event }) => {
      const tallies = openTallies(totalsOf(event))
      return { tallies, wave: Math.max(openWave(tallies, 0), 0) }
    }),
    count: assign(({ context, event }) => ({ tallies: count(context.tallies, settledOf(event)) })),
    nextWave: assign(({ context }) => ({ wave: openWave(context.tallies, context.wave + 1) })),
    closeOpen: assign(({ context }) => ({ tallies: supersedeOpen(context.tallies) })),
    noteSuccessor: assign(({ event }) => {
      assertEvent(event, 'head.replaced')
      const { run_id, sha } = event
      return { superseded_by: run_id === undefined ? { sha } : { run_id, sha } }
    }),
  },
  guards: {
    'plan run': ({ context }) => context.mode !== 'apply',
    'plan run, no stack': ({ context, event }) => context.mode !== 'apply' && !totalsOf(event).some(Boolean),
    'apply run': ({ context }) => context.mode === 'apply',
    'apply run, no stack': ({ context, event }) => context.mode === 'apply' && !totalsOf(event).some(Boolean),
    'still to be counted': ({ context, event }) => countable(context.tallies, settledOf(event)),
    'the wave in progress': ({ context, event }) => 'wave' in event && event.wave === context.wave,
    plan: ({ context, event }, verdict: PlanVerdict) => planVerdict(context, settledOf(event)) === verdict,
    wave: ({ context, event }, verdict: WaveVerdict) => waveVerdict(context, settledOf(event)) === verdict,
    late: ({ context, event }, verdict: LateVerdict) => lateVerdict(context, settledOf(event)) === verdict,
  },
})

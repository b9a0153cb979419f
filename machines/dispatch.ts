import { assertEvent, assign, enqueueActions, setup } from 'xstate'
import { z } from 'zod'
import type { DispatchEvent, StackNews } from './events.ts'
import { type NamedAction, named, refuse } from './named.ts'

const minute = 60
/** Without a workflow run within this time, the stacks are given up (docs/interface.md, 'Limits'). */
const patience = 30 * minute

export const DispatchInput = z.strictObject({
  wave: z.int().nonnegative(),
  /** 1-based: a wave of too many stacks for one matrix goes out as several dispatches. */
  part: z.int().positive(),
  /** How many stacks it runs. */
  stacks: z.int().positive().optional(),
})

export const DispatchContext = DispatchInput.extend({
  workflow_run_id: z.int().positive().optional(),
  attempt: z.int().positive().optional(),
  /** How often the code host refused it, and what it last said. */
  refusals: z.int().nonnegative(),
  message: z.string().optional(),
})
export type DispatchContext = z.infer<typeof DispatchContext>

export const openDispatch = (input: z.infer<typeof DispatchInput>): DispatchContext => ({ ...input, refusals: 0 })

const bound = (event: DispatchEvent) => {
  assertEvent(event, 'workflow.bound')
  return event
}

/** A workflow run that the code host's answer or an earlier contact did not name. */
const stranger = (
  { workflow_run_id: known }: DispatchContext,
  told: { workflow_run_id?: number | undefined },
): boolean => known !== undefined && told.workflow_run_id !== undefined && told.workflow_run_id !== known

/**
 * The run is notified of a refusal only if its message is new: the dispatch is tried again each minute, and thirty equal
 * warnings would hide the others. The deadline runs from the first refusal and is not extended by later ones.
 */
const hearRefusal = enqueueActions<DispatchContext, DispatchEvent, undefined, DispatchEvent, never, NamedAction, never>(
  ({ context, event, enqueue }) => {
    assertEvent(event, 'dispatch.refused')
    const { message } = event
    const refused = { type: 'dispatch.refused', message } as const
    if (message !== context.message) enqueue({ type: 'tellRun', params: { event: refused } })
    if (context.refusals === 0) {
      const event = { type: 'runner.lost' } as const
      enqueue({ type: 'scheduleTimer', params: { name: 'deadline', event, seconds: patience } })
    }
    enqueue.assign({ refusals: context.refusals + 1, message })
  },
)

/** In a minute, or later if the code host said so: who asks on while a rate limit is used up is banned. */
const resendLater = enqueueActions<DispatchContext, DispatchEvent, undefined, DispatchEvent, never, NamedAction, never>(
  ({ event, enqueue }) => {
    assertEvent(event, 'dispatch.refused')
    const seconds = Math.max(minute, Math.ceil(event.retry_after ?? 0))
    enqueue({ type: 'scheduleTimer', params: { name: 'resend', event: { type: 'resend.due' }, seconds } })
  },
)

const dispatchSetup = setup({
  types: { context: {} as DispatchContext, events: {} as DispatchEvent, input: {} as DispatchContext },
  actions: {
    ...named,
    refuse,
    hearRefusal,
    resendLater,
    keepRunId: assign(({ context, event }) => {
      assertEvent(event, 'dispatch.sent')
      return { workflow_run_id: context.workflow_run_id ?? event.workflow_run_id }
    }),
    bind: assign(({ event }) => {
      const { workflow_run_id, attempt } = bound(event)
      return { workflow_run_id, attempt }
    }),
    keepAttempt: assign(({ event }) => {
      assertEvent(event, 'workflow.completed')
      return { attempt: event.attempt }
    }),
  },
  guards: {
    'another workflow run': ({ context, event }) => stranger(context, bound(event)),
    'an earlier attempt': ({ context, event }) => bound(event).attempt < (context.attempt ?? 0),
    'another attempt': ({ context, event }) => bound(event).attempt !== context.attempt,
    'of its workflow run, this attempt or a later one': ({ context, event }) => {
      assertEvent(event, 'workflow.completed')
      return !stranger(context, event) && event.attempt >= (context.attempt ?? 0)
    },
  },
})

const cancelTimer = (name: string) => ({ type: 'cancelTimer', params: { name } }) as const

const forbidden = (reason: string) => ({ type: 'refuse', params: { code: 'forbidden', reason } }) as const
const strangerRefused = {
  guard: 'another workflow run',
  actions: forbidden('another workflow run was dispatched for these stacks'),
} as const

const binds = [strangerRefused, { target: 'bound', actions: 'bind' }] as const
const tellLost = (reason: StackNews['reason']) =>
  ({ type: 'tellOpenStacks', params: { event: { type: 'runner.lost', reason } } }) as const
const neverAccepted = { target: 'lost', actions: [cancelTimer('deadline'), tellLost('dispatch_refused')] } as const
const neverPickedUp = { target: 'lost', actions: tellLost('not_picked_up') } as const
const completes = {
  guard: 'of its workflow run, this attempt or a later one',
  target: 'completed',
  actions: ['keepAttempt', tellLost('workflow_finished')],
} as const

/**
 * One workflow_dispatch: from the request to the end of the workflow run that picked it up. Sending is retried and answers get
 * lost, so a job may report before the answer to the request is recorded: the first workflow run that proves to belong to the
 * dispatch is bound.
 */
export const dispatchMachine = dispatchSetup.createMachine({
  id: 'dispatch',
  context: ({ input }) => input,
  initial: 'requested',
  states: {
    requested: {
      on: {
        'dispatch.sent': { target: 'awaiting', actions: ['keepRunId', cancelTimer('deadline')] },
        'dispatch.refused': { target: 'refused', actions: 'hearRefusal' },
        'workflow.bound': [strangerRefused, { target: 'bound', actions: ['bind', cancelTimer('deadline')] }],
        'runner.lost': neverAccepted,
      },
    },
    refused: {
      entry: 'resendLater',
      exit: cancelTimer('resend'),
      on: {
        'resend.due': { target: 'requested', actions: 'sendDispatch' },
        'workflow.bound': [strangerRefused, { target: 'bound', actions: ['bind', cancelTimer('deadline')] }],
        'runner.lost': neverAccepted,
      },
    },
    awaiting: {
      entry: {
        type: 'scheduleTimer',
        params: { name: 'pickup', event: { type: 'runner.lost' }, seconds: patience },
      },
      exit: cancelTimer('pickup'),
      on: {
        'dispatch.sent': { actions: 'keepRunId' },
        'workflow.bound': binds,
        'workflow.completed': completes,
        'runner.lost': neverPickedUp,
      },
    },
    bound: {
      on: {
        'workflow.bound': [
          strangerRefused,
          { guard: 'an earlier attempt', actions: forbidden('a later attempt of the workflow run has taken over') },
          { actions: 'bind' },
        ],
        'workflow.completed': completes,
      },
    },
    // Its stacks are unknown by now; if some job picks it up after all, late results still count.
    lost: {
      on: {
        'dispatch.sent': { actions: 'keepRunId' },
        'workflow.bound': binds,
      },
    },
    completed: {
      tags: 'final',
      on: {
        'workflow.bound': [
          strangerRefused,
          { guard: 'another attempt', actions: forbidden('the workflow run of this dispatch already completed') },
        ],
      },
    },
  },
})

import { z } from 'zod'
import { Timestamp } from './scalars.ts'

export const MachineKind = z
  .enum(['run', 'stack', 'lock', 'dispatch'])
  .meta({ id: 'MachineKind', description: "A kind of machine: a run, a run's stack, a stack's lock, or a dispatch" })

const NamedAction = z.object({ type: z.string(), params: z.record(z.string(), z.unknown()).optional() }).meta({
  id: 'MachineAction',
  description: 'An action as the statechart names it, with the parameters that are fixed',
})

const Transition = z
  .object({
    event: z.string(),
    guard: z.string().optional().describe('The condition, in words'),
    target: z.string().optional().describe('Full name of the next state; absent if the state stays'),
    actions: z.array(NamedAction),
  })
  .meta({ id: 'MachineTransition' })

const State = z
  .object({
    name: z.string().describe('Full name, such as `applying.draining`'),
    initial: z.string().optional().describe('The inner state that is entered first, if there are inner states'),
    final: z.boolean().describe('Nothing is waited for any more'),
    entry: z.array(NamedAction),
    exit: z.array(NamedAction),
    on: z.array(Transition).describe('In the order in which they are tried, before those of the outer state'),
  })
  .meta({ id: 'MachineState' })

export const Statechart = z
  .object({
    kind: MachineKind,
    version: z.int(),
    initial: z.string(),
    on: z.array(Transition).describe('Tried if no state handles the event'),
    states: z.array(State),
  })
  .meta({ id: 'Statechart', description: 'A kind of machine as data, made from the machine itself' })

export const MachineTimer = z.object({ name: z.string(), event: z.string(), due_at: Timestamp }).meta({
  id: 'MachineTimer',
  description: 'An event that the machine gets at a set time unless something else comes first',
})

export const Machine = z
  .object({
    kind: MachineKind,
    id: z.string(),
    seq: z.int().describe('Of the transition that brought it here'),
    version: z.int().describe('Of the machine that wrote the snapshot'),
    value: z.unknown().describe('The state: its name, or an object if the state has inner ones'),
    context: z.record(z.string(), z.unknown()),
    events: z
      .array(z.string())
      .describe('Events that it would accept now; whether it does may depend on their contents'),
    timers: z.array(MachineTimer),
    updated_at: Timestamp,
  })
  .meta({ id: 'Machine', description: 'A machine in its current state, or as it was after one of its transitions' })

export const JournalEntry = z
  .object({
    seq: z.int(),
    at: Timestamp,
    event: z.looseObject({ type: z.string() }).describe('With what it carried'),
    actor: z.string(),
    cause: z
      .string()
      .optional()
      .describe('Id of the request, delivery or job behind it: equal for all that came of one; absent for timers'),
    from: z.string().optional().describe('Absent for the first'),
    to: z.string(),
    actions: z.array(z.unknown()),
  })
  .meta({ id: 'JournalEntry', description: 'A transition of a machine' })

export type MachineKind = z.infer<typeof MachineKind>
export type Statechart = z.infer<typeof Statechart>
export type Machine = z.infer<typeof Machine>
export type JournalEntry = z.infer<typeof JournalEntry>

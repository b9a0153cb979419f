import { z } from 'zod'
import { Timestamp } from './scalars.ts'

export const MachineKind = z
  .enum(['run', 'stack', 'lock', 'dispatch'])
  .meta({ id: 'MachineKind', description: 'A kind of machine; a stack is one of a run, a lock that of a stack' })

const NamedAction = z.object({ type: z.string(), params: z.record(z.string(), z.unknown()).optional() }).meta({
  id: 'MachineAction',
  description: 'An action as the statechart names it, with those parameters that are fixed',
})

const Transition = z
  .object({
    event: z.string(),
    guard: z.string().optional().describe('The condition, in words'),
    target: z.string().optional().describe('Full name of the next state; absent where the state stays'),
    actions: z.array(NamedAction),
  })
  .meta({ id: 'MachineTransition' })

const State = z
  .object({
    name: z.string().describe('Full name, such as `applying.draining`'),
    initial: z.string().optional().describe('The inner state that is entered first, where there are inner states'),
    final: z.boolean().describe('Nothing is waited for any more'),
    entry: z.array(NamedAction),
    exit: z.array(NamedAction),
    on: z.array(Transition).describe('In the order in which they are tried, then those of the outer state'),
  })
  .meta({ id: 'MachineState' })

export const Statechart = z
  .object({
    kind: MachineKind,
    version: z.int(),
    initial: z.string(),
    on: z.array(Transition).describe('Tried where no state handles the event'),
    states: z.array(State),
  })
  .meta({ id: 'Statechart', description: 'A kind of machine as data, made from the machine itself' })

const Timer = z
  .object({ name: z.string(), event: z.string(), due_at: Timestamp })
  .meta({ id: 'MachineTimer', description: 'An event that the machine gets at a time unless something comes before' })

export const Machine = z
  .object({
    kind: MachineKind,
    id: z.string(),
    version: z.int().describe('Of the machine that wrote the snapshot'),
    value: z.unknown().describe('The state: its name, or an object where a state has inner ones'),
    context: z.record(z.string(), z.unknown()),
    events: z
      .array(z.string())
      .describe('What it would accept now; whether it does may depend on what the event carries'),
    timers: z.array(Timer),
    updated_at: Timestamp,
  })
  .meta({ id: 'Machine', description: 'A machine as it stands' })

export const JournalEntry = z
  .object({
    seq: z.int(),
    at: Timestamp,
    event: z.looseObject({ type: z.string() }).describe('With what it carried'),
    actor: z.string(),
    from: z.string().optional().describe('Absent for the first'),
    to: z.string(),
    actions: z.array(z.unknown()),
  })
  .meta({ id: 'JournalEntry', description: 'A transition of a machine' })

export type Statechart = z.infer<typeof Statechart>
export type Machine = z.infer<typeof Machine>

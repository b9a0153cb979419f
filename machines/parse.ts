import { z } from 'zod'
import { type EventOf, type InputOf, type Kind, kinds } from './kinds.ts'

const eventSchemas: { [K in Kind]: z.ZodType<EventOf<K>> } = {
  run: kinds.run.Event,
  stack: kinds.stack.Event,
  lock: kinds.lock.Event,
  dispatch: kinds.dispatch.Event,
}

const inputSchemas: { [K in Kind]: z.ZodType<InputOf<K>> } = {
  run: kinds.run.Input,
  stack: kinds.stack.Input,
  lock: kinds.lock.Input,
  dispatch: kinds.dispatch.Input,
}

/** The kinds of machine that know an event of this type. */
const knowing = (type: string): string[] =>
  Object.entries(kinds).flatMap(([kind, { Event }]) =>
    Event.options.some(({ shape }) => shape.type.value === type) ? [kind] : [],
  )

const Typed = z.looseObject({ type: z.string() })

const problemOf = (kind: Kind, event: unknown, error: z.ZodError): string => {
  const { success, data } = Typed.safeParse(event)
  if (!success) return `no event for a ${kind}, it has no type: ${JSON.stringify(event)}`
  const kindsOfType = knowing(data.type)
  if (kindsOfType.length === 0) return `no machine knows the event ${data.type}`
  if (!kindsOfType.includes(kind))
    return `a ${kind} does not know the event ${data.type}, which is one of: ${kindsOfType.join(', ')}`
  return `the event ${data.type} for a ${kind} is malformed:\n${z.prettifyError(error)}`
}

/**
 * Parses an event for this kind of machine, stored ones too: a timer's or the journal's. Throws if no machine knows the event,
 * if only other kinds know it, or if it is malformed, and says which of them it is.
 */
export const parseEvent = <K extends Kind>(kind: K, event: unknown): EventOf<K> => {
  const parsed = eventSchemas[kind].safeParse(event)
  if (!parsed.success) throw new Error(problemOf(kind, event, parsed.error))
  return parsed.data
}

/** The stored input that a machine of this kind began with. Throws if it does not fit. */
export const parseInput = <K extends Kind>(kind: K, input: unknown): InputOf<K> => {
  const parsed = inputSchemas[kind].safeParse(input)
  if (!parsed.success) throw new Error(`the input of a ${kind} is malformed:\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}

import { type Kind, parseEvent } from '#machines/index.ts'
import { addressOf } from './address.ts'
import type { MessageTo } from './message.ts'

/** A timer as its row names machine and event: text that some version of the service once stored. */
type Stored<K extends Kind> = { kind: K; id: string; event: unknown }

/**
 * The message of a timer to its machine; undefined for a dispatch without its run, which only its row names. Throws if this
 * kind of machine does not know the stored event.
 */
export const timerMessage = <K extends Kind>(timer: Stored<K>, runId: string | undefined): MessageTo<K> | undefined => {
  const to = addressOf(timer.kind, timer.id, runId)
  return to && { to, event: parseEvent(timer.kind, timer.event), actor: 'timer' }
}

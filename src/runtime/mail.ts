import type { Answer, Message } from './message.ts'

/**
 * Handles a group of messages of one installation in one transaction and returns the answers in their order; rejects if nothing was written.
 * `brief`: waits only a moment for rows that others hold.
 */
export type Deliver = (
  messages: readonly Message[],
  installationId: number,
  how: { brief: boolean },
) => Promise<Answer[]>

/** A message on its way: who waits for its answer, and since when. */
export type Waiting = {
  message: Message
  lane: string
  /** A transaction holds rows of one installation. */
  installationId: number
  since: number
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

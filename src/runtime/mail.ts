import type { Answer, Message } from './message.ts'

/**
 * What came meanwhile for the machines of a transaction, which it may handle too. Asked once it has locked their runs: while another
 * instance held these, more has come, and would wait for the next transaction.
 */
export type Joining = () => readonly Message[]

/** What a transaction is for, and what may join it. */
export type Mail = { messages: readonly Message[]; joining?: Joining | undefined }

/**
 * Handles a group of messages of one installation in one transaction and returns the answers in their order, then of those that joined it;
 * rejects if nothing was written. `brief`: waits only a moment for rows that others hold.
 */
export type Deliver = (
  messages: readonly Message[],
  installationId: number,
  how: { brief: boolean; joining: Joining },
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

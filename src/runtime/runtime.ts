import type { Clock } from '#clock.ts'
import { addJournal, lastSeqs } from '#db/journal.ts'
import type { SnapshotColumns } from '#db/snapshot-columns.ts'
import type { Pool, Tx } from '#db/sql.ts'
import { afterCommit, transact } from '#db/transact.ts'
import { begin, type Kind, stateOf, statusOf, versionOf } from '#machines/index.ts'
import { deliver, type Settled } from './deliver.ts'
import { createMailbox, type MailboxLimits } from './mailbox.ts'
import type { Answer, Message } from './message.ts'
import { openLocks } from './open-locks.ts'

/** A machine that is about to be stored for the first time: its columns, and where it stands. */
export type Begun = SnapshotColumns & { id: string; state: string; status: string }

export type Runtime = {
  /** Sends a message through the mailbox: it may share its transaction with others. Not inside a transaction. */
  send(message: Message): Promise<Answer>
  /** Handles messages inside the caller's transaction, which may write more before and after. */
  sendAll(tx: Tx, messages: readonly Message[]): Promise<Answer[]>
  /** The first snapshots of new machines, journalled; the caller stores the rows in the same transaction. */
  begin(
    tx: Tx,
    kind: Kind,
    machines: { id: string; input: object }[],
    who: { actor: string; cause?: string },
  ): Promise<Begun[]>
  /** Makes the locks of stacks that were never locked, free. Before anything else of the transaction is locked. */
  openLocks(tx: Tx, stackIds: string[], who: { actor: string; cause?: string }): Promise<void>
  /** Tells the queue's worker that jobs may have been added by a transaction that is now committed. */
  wake(): void
  /** Resolves when no message is under way. */
  idle(): Promise<void>
}

export type RuntimeDeps = {
  pool: Pool
  clock: Clock
  /** Called after a commit that queued jobs. */
  onJobs?: () => void
  /** Called after a commit with what came to an end, for metrics. */
  onSettled?: (settled: Settled) => void
  mailbox?: MailboxLimits
}

/** The actor runtime over Postgres: sends events to machines that live in rows (architecture, 'The runtime'). */
export const createRuntime = (deps: RuntimeDeps): Runtime => {
  const { pool, clock } = deps
  const sendAll = async (tx: Tx, messages: readonly Message[]): Promise<Answer[]> => {
    if (messages.length === 0) return []
    const { answers, settled, jobs } = await deliver(tx, messages, clock.now())
    afterCommit(tx, () => {
      deps.onSettled?.(settled)
      if (jobs > 0) deps.onJobs?.()
    })
    return answers
  }
  const mailbox = createMailbox((messages) => transact(pool, (tx) => sendAll(tx, messages)), deps.mailbox)
  return {
    send: mailbox.send,
    idle: mailbox.idle,
    wake: () => deps.onJobs?.(),
    sendAll,
    openLocks: (tx, stackIds, who) => openLocks(tx, stackIds, { ...who, at: clock.now() }),
    begin: (tx, kind, machines, who) => beginAll(tx, kind, machines, { ...who, at: clock.now() }),
  }
}

/** A machine that was there before (a run resolved anew) goes on numbering its journal where it stopped. */
const beginAll = async (
  tx: Tx,
  kind: Kind,
  machines: { id: string; input: object }[],
  who: { actor: string; cause?: string; at: Date },
): Promise<Begun[]> => {
  const seqs = await lastSeqs(
    tx,
    kind,
    machines.map((machine) => machine.id),
  )
  const begun = machines.map(({ id, input }) => {
    const snapshot = begin(kind, input as never)
    const seq = (seqs.get(id) ?? -1) + 1
    const columns = { snapshot: { value: snapshot.value, context: snapshot.context }, version: versionOf[kind], seq }
    return { ...columns, id, input, state: stateOf(snapshot), status: statusOf(snapshot) }
  })
  await addJournal(
    tx,
    begun.map((machine) => ({
      kind,
      id: machine.id,
      seq: machine.seq,
      event: { type: 'created', input: machine.input },
      eventKey: null,
      actor: who.actor,
      cause: who.cause ?? null,
      from: null,
      to: machine.state,
      actions: [],
      at: who.at,
    })),
  )
  return begun
}

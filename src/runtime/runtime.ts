import type { Clock } from '#clock.ts'
import { databaseTrouble } from '#db/database-trouble.ts'
import type { Pool, Tx } from '#db/sql.ts'
import { ofInstallation } from '#db/tenant.ts'
import { afterCommit, transact, waitBriefly } from '#db/transact.ts'
import { forOwnerOf, forOwnerOfKnown, type Things } from '#db/whose.ts'
import type { Kind } from '#machines/index.ts'
import { type Address, rootOf } from './address.ts'
import { type Begun, beginMachines, type NewMachine, openLocks } from './begin-machines.ts'
import { deliver, type Settled } from './deliver.ts'
import type { Joining } from './mail.ts'
import { createMailbox, type MailboxLimits } from './mailbox.ts'
import type { Answer, Message, Who } from './message.ts'
import { createRowTurns, type RowPlace } from './row-turns.ts'

export type Runtime = {
  /** Sends a message through the mailbox: it may share its transaction with others. Not for use inside a transaction. */
  send(message: Message): Promise<Answer>
  /** Handles messages inside the caller's transaction, which may write more before and after. */
  sendAll(tx: Tx, messages: readonly Message[]): Promise<Answer[]>
  /**
   * Runs a request's transaction that begins with the lock of a row: when it is its turn, with only a moment's wait for rows, and
   * again if one was held (row-turns.ts). `waitLonger` ends the hurry, once the work would be a pity to lose.
   */
  transactInTurn<T>(place: RowPlace, work: (tx: Tx) => Promise<T>): Promise<T>
  /** The first snapshots of new machines, journalled; the caller stores the rows in the same transaction. */
  begin<K extends Kind>(tx: Tx, kind: K, machines: NewMachine<K>[], who: Who): Promise<Begun<K>[]>
  /** Adds the locks of stacks that were never locked, free. Call it before the transaction locks anything else. */
  openLocks(tx: Tx, stackIds: string[], who: Who): Promise<void>
  /** Notifies the queue's worker that a transaction, now committed, may have added jobs. */
  wake(): void
  /** Resolves when no message is under way. */
  idle(): Promise<void>
}

export type RuntimeDeps = {
  pool: Pool
  clock: Clock
  /** Called after a commit that queued jobs, the first of which is due in so many milliseconds. */
  onJobs?: (inMs: number) => void
  /** Called after a commit with what came to an end, for metrics. */
  onSettled?: (settled: Settled) => void
  mailbox?: MailboxLimits
}

/** The actor runtime over Postgres: sends events to machines that live in rows. */
export const createRuntime = (deps: RuntimeDeps): Runtime => {
  const { pool, clock } = deps
  const sendAll = async (tx: Tx, messages: readonly Message[], joining?: Joining): Promise<Answer[]> => {
    if (messages.length === 0) return []
    const own = await forOwnerOf(tx, thingsAt(messages.map(({ to }) => to)))
    if (!own) return messages.map(missing)
    const { answers, settled, jobsInMs } = await deliver(own, { messages, joining }, () => clock.now())
    afterCommit(tx, () => {
      deps.onSettled?.(settled)
      if (jobsInMs !== null) deps.onJobs?.(jobsInMs)
    })
    return answers
  }
  const isHeld = (error: unknown): boolean => databaseTrouble(error) === 'held'
  const rowTurns = createRowTurns({ isHeld })
  const mailbox = createMailbox({
    deliver: (messages, installationId, { brief, joining }) =>
      transact(ofInstallation(pool, installationId), async (tx) => {
        if (brief) await waitBriefly(tx)
        return sendAll(tx, messages, joining)
      }),
    isHeld,
    ...(deps.mailbox ? { limits: deps.mailbox } : {}),
  })
  return {
    send: async (message) => {
      const said = message.installationId
      const answer = said === undefined ? undefined : await mailbox.send(message, said)
      if (answer && answer.outcome !== 'missing') return answer
      // nobody said whose it is, or it is another's
      const own = await forOwnerOf(pool, thingsAt([message.to]))
      if (!own || own.installationId === said) return answer ?? missing(message)
      return mailbox.send(message, own.installationId)
    },
    idle: mailbox.idle,
    wake: () => deps.onJobs?.(0),
    sendAll: (tx, messages) => sendAll(tx, messages),
    transactInTurn: (place, work) =>
      rowTurns.turn(place, () =>
        transact(place.installationId === undefined ? pool : ofInstallation(pool, place.installationId), async (tx) => {
          await waitBriefly(tx)
          return work(tx)
        }),
      ),
    openLocks: async (tx, stackIds, who) => {
      const own = await forOwnerOf(tx, { stacks: stackIds })
      if (own) await openLocks(own, stackIds, { ...who, at: clock.now() })
    },
    begin: async (tx, kind, machines, who) => {
      const own = await forOwnerOfKnown(tx, { runs: machines.map(({ runId }) => runId) })
      return beginMachines(own, kind, machines, { ...who, at: clock.now() })
    },
  }
}

const missing = ({ permit }: Message): Answer => {
  const problem = permit?.({ run: undefined, stack: undefined })
  return { outcome: 'missing', ...(problem && { problem }) }
}

/** By what it is known whose the machines at these addresses are. */
const thingsAt = (addresses: readonly Address[]): Things => {
  const runs = addresses.flatMap((to) => rootOf(to) ?? [])
  return runs.length > 0 ? { runs } : { stacks: addresses.flatMap((to) => (to.kind === 'lock' ? [to.stackId] : [])) }
}

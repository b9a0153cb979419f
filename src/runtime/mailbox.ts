import { laneOf } from './address.ts'
import { deliverGroup } from './deliver-group.ts'
import type { Deliver, Waiting } from './mail.ts'
import type { Answer, Message } from './message.ts'
import { createStuckLanes } from './stuck-lanes.ts'
import { createWaitingMail } from './waiting-mail.ts'

export type MailboxLimits = {
  /** Messages in one transaction: bounds how long its row locks are held. */
  group: number
  /** Transactions at the same time, over different runs. */
  transactions: number
  /** Transactions beside those that take long, because somebody else holds their row: each occupies a connection. */
  aside: number
}

export type Mailbox = { send(message: Message, installationId: number): Promise<Answer>; idle(): Promise<void> }

type MailboxOptions = {
  deliver: Deliver
  /** Whether an error means that a row was held by another transaction. */
  isHeld: (error: unknown) => boolean
  limits?: MailboxLimits
}

/** A transaction that takes longer makes room for others: most take some milliseconds. */
const longMs = 250

/**
 * Messages that wait in this process share transactions: all that wait for one run (one lock, one commit), and several runs
 * of one installation together. On one run the commit is the cost, so sharing it wins by 8 to 25 times over a transaction for each message; over
 * many runs, grouping wins by 2 to 4. Between processes, the database's row lock still keeps the order. Messages of one run
 * are never in two transactions at once, so they are handled in the order they came.
 *
 * A run whose row somebody else holds keeps no other waiting: it waits aside, alone, until the lock's time limit.
 */
export const createMailbox = ({ deliver, isHeld, limits = usual }: MailboxOptions): Mailbox => {
  const mail = createWaitingMail(limits.group)
  const stuck = createStuckLanes()
  const busy = new Set<string>()
  const running = new Set<Promise<void>>()
  const aside = new Set<Promise<void>>()
  let scheduled = false

  const start = (group: Waiting[], among: Set<Promise<void>>): void => {
    const lanes = new Set(group.map((entry) => entry.lane))
    for (const lane of lanes) busy.add(lane)
    const work = deliverGroup({ deliver, isHeld, stuck, join: mail.takeJoining }, group).then((held) => {
      clearTimeout(long)
      mail.putBack(held)
      for (const lane of lanes) busy.delete(lane)
      running.delete(work)
      aside.delete(work)
      pump()
    })
    among.add(work)
    const long = setTimeout(() => {
      if (aside.size >= limits.aside || !running.delete(work)) return
      aside.add(work)
      pump()
    }, longMs)
  }

  const pump = (): void => {
    mail.keep(stuck.refuseOld)
    while (running.size < limits.transactions) {
      const group = mail.takeGroup(({ lane }) => !stuck.has(lane) && !busy.has(lane))
      if (group.length === 0) break
      start(group, running)
    }
    while (aside.size < limits.aside) {
      const next = mail.find(({ lane }) => stuck.has(lane) && !busy.has(lane))
      if (!next) break
      const group = mail.takeGroup(({ lane }) => lane === next.lane)
      start(group, aside)
    }
  }

  return {
    send: (message, installationId) =>
      new Promise((resolve, reject) => {
        const lane = laneOf(message.to)
        mail.add({ message, lane, installationId, since: performance.now(), resolve, reject })
        // a busy lane goes on by itself; messages sent to others in this turn of the event loop go together
        if (scheduled || busy.has(lane)) return
        scheduled = true
        setImmediate(() => {
          scheduled = false
          pump()
        })
      }),
    idle: async () => {
      while (running.size > 0 || aside.size > 0 || !mail.isEmpty()) {
        const under = [...running, ...aside]
        await (under.length > 0 ? Promise.race(under) : new Promise(setImmediate))
      }
    },
  }
}

const usual: MailboxLimits = { group: 256, transactions: 2, aside: 4 }

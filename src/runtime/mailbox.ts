import { laneOf } from './address.ts'
import type { Answer, Message } from './message.ts'

/** Handles a group of messages in one transaction and returns the answers in their order; rejects if nothing was written. */
export type Deliver = (messages: readonly Message[]) => Promise<Answer[]>

type Waiting = { message: Message; lane: string; resolve: (answer: Answer) => void; reject: (error: unknown) => void }

export type MailboxLimits = {
  /** Messages in one transaction: bounds how long its row locks are held. */
  group: number
  /** Transactions at the same time, over different runs. */
  transactions: number
}

export type Mailbox = { send(message: Message): Promise<Answer>; idle(): Promise<void> }

/**
 * Messages that wait in this process share transactions: all that wait for one run (one lock, one commit), and several runs
 * together. On one run the commit is the cost, so sharing it wins by 8 to 25 times over a transaction for each message; over
 * many runs, grouping wins by 2 to 4. Between processes, the database's row lock still keeps the order. Messages of one run
 * are never in two transactions at once, so they are handled in the order they came.
 */
export const createMailbox = (deliver: Deliver, limits: MailboxLimits = { group: 256, transactions: 2 }): Mailbox => {
  let waiting: Waiting[] = []
  const busy = new Set<string>()
  const running = new Set<Promise<void>>()
  let scheduled = false

  const take = (): Waiting[] => {
    const group: Waiting[] = []
    const rest: Waiting[] = []
    for (const entry of waiting) (group.length < limits.group && !busy.has(entry.lane) ? group : rest).push(entry)
    waiting = rest
    return group
  }

  const pump = (): void => {
    while (waiting.length > 0 && running.size < limits.transactions) {
      const group = take()
      if (group.length === 0) return
      const lanes = new Set(group.map((entry) => entry.lane))
      for (const lane of lanes) busy.add(lane)
      const work = deliverGroup(deliver, group).finally(() => {
        for (const lane of lanes) busy.delete(lane)
        running.delete(work)
        pump()
      })
      running.add(work)
    }
  }

  return {
    send: (message) =>
      new Promise((resolve, reject) => {
        const lane = laneOf(message.to)
        waiting.push({ message, lane, resolve, reject })
        // a busy lane goes on by itself; messages sent to others in this turn of the event loop go together
        if (scheduled || busy.has(lane)) return
        scheduled = true
        setImmediate(() => {
          scheduled = false
          pump()
        })
      }),
    idle: async () => {
      while (running.size > 0 || waiting.length > 0) {
        await (running.size > 0 ? Promise.race(running) : new Promise(setImmediate))
      }
    },
  }
}

/**
 * A group that fails is split and tried again: a transaction for each run, then for each message. Only the message that cannot
 * be handled fails.
 */
const deliverGroup = async (deliver: Deliver, group: Waiting[]): Promise<void> => {
  try {
    const answers = await deliver(group.map((entry) => entry.message))
    group.forEach((entry, index) => {
      const answer = answers[index]
      if (answer) entry.resolve(answer)
      else entry.reject(new Error('a message was not answered'))
    })
  } catch (error) {
    if (group.length === 1) return group[0]?.reject(error)
    for (const part of partsOf(group)) await deliverGroup(deliver, part)
  }
}

const partsOf = (group: Waiting[]): Waiting[][] => {
  const byLane = Map.groupBy(group, ({ lane }) => lane)
  return byLane.size > 1 ? [...byLane.values()] : group.map((entry) => [entry])
}

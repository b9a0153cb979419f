import type { Deliver, Waiting } from './mail.ts'
import type { Message } from './message.ts'
import type { StuckLanes } from './stuck-lanes.ts'

type How = {
  deliver: Deliver
  isHeld: (error: unknown) => boolean
  stuck: StuckLanes
  /** Takes what waits for the lanes of a group. */
  join: (group: readonly Waiting[]) => Waiting[]
}

/**
 * Delivers messages of one lane or several, and answers them. A group that fails is split and tried again: a transaction for
 * each lane, then for each message; only the message that cannot be handled fails. Returns those of lanes that are stuck now,
 * without an answer: a group waits only a moment for each of its lanes.
 */
export const deliverGroup = async (how: How, group: Waiting[]): Promise<Waiting[]> => {
  const isOneLane = group.every(({ lane }) => lane === group[0]?.lane)
  if (isOneLane) return deliverLane(how, group, false)
  if ((await attempt(how, group, true)) === undefined) return []
  const held: Waiting[] = []
  for (const lane of Map.groupBy(group, ({ lane }) => lane).values()) held.push(...(await deliverLane(how, lane, true)))
  return held
}

/** One that is tried again by itself takes no other along: it may be the one that cannot be handled. */
const alone: How['join'] = () => []

const deliverLane = async (how: How, messages: Waiting[], brief: boolean): Promise<Waiting[]> => {
  const failed = await attempt(how, messages, brief)
  if (failed === undefined) return []
  const isHeld = how.isHeld(failed.error)
  for (const { lane } of messages) if (isHeld) how.stuck.add(lane, failed.error)
  if (isHeld && brief) return messages
  if (isHeld || messages.length === 1) for (const { reject } of messages) reject(failed.error)
  else for (const message of messages) await deliverLane({ ...how, join: alone }, [message], false)
  return []
}

/** One transaction; undefined if it was committed. Those that join it are added to the group. */
const attempt = async (how: How, group: Waiting[], brief: boolean): Promise<Failed | undefined> => {
  const { deliver, stuck, join } = how
  const messages = group.map(({ message }) => message)
  const joining = (): readonly Message[] => {
    group.push(...join(group))
    return group.slice(messages.length).map(({ message }) => message)
  }
  try {
    const answers = await deliver(messages, group[0]?.installationId ?? 0, { brief, joining })
    group.forEach(({ lane, resolve, reject }, index) => {
      const answer = answers[index]
      stuck.delete(lane)
      if (answer) resolve(answer)
      else reject(new Error('a message was not answered'))
    })
    return undefined
  } catch (error) {
    return { error }
  }
}

type Failed = { error: unknown }

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
export const deliverGroup = async (how: How, group: readonly Waiting[]): Promise<Waiting[]> => {
  const isOneLane = group.every(({ lane }) => lane === group[0]?.lane)
  if (isOneLane) return deliverLane(how, group, false)
  const failed = await attempt(how, group, true)
  if (failed === undefined) return []
  const held: Waiting[] = []
  const lanes = Map.groupBy([...group, ...failed.joined], ({ lane }) => lane)
  for (const lane of lanes.values()) held.push(...(await deliverLane(how, lane, true)))
  return held
}

/** One that is tried again by itself takes no other along: it may be the one that cannot be handled. */
const alone: How['join'] = () => []

const deliverLane = async (how: How, messages: readonly Waiting[], brief: boolean): Promise<Waiting[]> => {
  const failed = await attempt(how, messages, brief)
  if (failed === undefined) return []
  const { error, joined } = failed
  const all = [...messages, ...joined]
  if (how.isHeld(error)) {
    for (const { lane } of messages) how.stuck.add(lane, error)
    if (brief) return all
    for (const { reject } of messages) reject(error)
    // these came later, and have waited less
    return [...joined]
  }
  if (all.length === 1) for (const { reject } of messages) reject(error)
  else for (const message of all) await deliverLane({ ...how, join: alone }, [message], false)
  return []
}

/** One transaction; undefined if it was committed. */
const attempt = async (how: How, group: readonly Waiting[], brief: boolean): Promise<Failed | undefined> => {
  const { deliver, stuck, join } = how
  const joined: Waiting[] = []
  let isOver = false
  const joining = (): readonly Message[] => {
    // a transaction whose connection was lost may still be asking: nobody would answer what it takes
    if (!isOver) joined.push(...join([...group, ...joined]))
    return joined.map(({ message }) => message)
  }
  try {
    const messages = group.map(({ message }) => message)
    const answers = await deliver(messages, group[0]?.installationId ?? 0, { brief, joining })
    for (const [index, { lane, resolve, reject }] of [...group, ...joined].entries()) {
      const answer = answers[index]
      stuck.delete(lane)
      if (answer) resolve(answer)
      else reject(new Error('a message was not answered'))
    }
    return undefined
  } catch (error) {
    return { error, joined }
  } finally {
    isOver = true
  }
}

/** What was taken from the mail meanwhile is left without an answer. */
type Failed = { error: unknown; joined: readonly Waiting[] }

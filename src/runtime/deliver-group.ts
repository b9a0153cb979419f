import type { Deliver, Waiting } from './mail.ts'
import type { StuckLanes } from './stuck-lanes.ts'

type How = { deliver: Deliver; isHeld: (error: unknown) => boolean; stuck: StuckLanes }

/**
 * Delivers messages of one lane or several, and answers them. A group that fails is split and tried again: a transaction for
 * each lane, then for each message; only the message that cannot be handled fails. Returns those of lanes that are stuck now,
 * without an answer: a group waits only a moment for each of its lanes.
 */
export const deliverGroup = async (how: How, group: Waiting[]): Promise<Waiting[]> => {
  const lanes = [...Map.groupBy(group, ({ lane }) => lane).values()]
  if (lanes.length === 1) return deliverLane(how, group, false)
  if ((await attempt(how, group, true)) === undefined) return []
  const held: Waiting[] = []
  for (const lane of lanes) held.push(...(await deliverLane(how, lane, true)))
  return held
}

const deliverLane = async (how: How, messages: Waiting[], brief: boolean): Promise<Waiting[]> => {
  const failed = await attempt(how, messages, brief)
  if (failed === undefined) return []
  const isHeld = how.isHeld(failed.error)
  for (const { lane } of messages) if (isHeld) how.stuck.add(lane, failed.error)
  if (isHeld && brief) return messages
  if (isHeld || messages.length === 1) for (const { reject } of messages) reject(failed.error)
  else for (const message of messages) await deliverLane(how, [message], false)
  return []
}

/** One transaction; undefined if it was committed. */
const attempt = async ({ deliver, stuck }: How, group: Waiting[], brief: boolean): Promise<Failed | undefined> => {
  try {
    const messages = group.map(({ message }) => message)
    const answers = await deliver(messages, group[0]?.installationId ?? 0, { brief })
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

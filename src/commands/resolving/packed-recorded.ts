import { inSteps } from '#portions.ts'
import { type PackedList, packList, unpackList } from './packed-list.ts'
import type { RecordedStack, ResolvedRecorded } from './resolve-recorded.ts'

type Resolved = Extract<ResolvedRecorded, { ok: true }>

/** What came of a recorded graph, as it goes from a thread to another. */
export type PackedRecorded =
  | Exclude<ResolvedRecorded, Resolved>
  | { rest: Omit<Resolved, 'stacks'>; stacks: PackedList }

/** Makes a message of what was resolved, and names what is moved with it and not copied. */
export const packRecorded = (resolved: ResolvedRecorded): { message: PackedRecorded; moved: ArrayBuffer[] } => {
  if (!resolved.ok) return { message: resolved, moved: [] }
  const { stacks: list, ...rest } = resolved
  const stacks = packList(list)
  return { message: { rest, stacks }, moved: stacks.map(({ buffer }) => buffer) }
}

/** See packRecorded. */
export const unpackRecorded = async (message: PackedRecorded): Promise<ResolvedRecorded> => {
  if (!('rest' in message)) return message
  return { ...message.rest, stacks: await inSteps(unpackList<RecordedStack>(message.stacks)) }
}

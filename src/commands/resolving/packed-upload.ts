import type { AffectedStack } from '#domain/resolution/resolution.ts'
import { inSteps } from '#portions.ts'
import { type PackedList, packList, unpackList } from './packed-list.ts'
import { lacksGraph, type ResolvedUpload, type UploadAnswer } from './resolve-upload.ts'

type Resolved = Extract<ResolvedUpload, { ok: true }>

/** A resolved upload without its long lists, and those. */
type Packed = {
  rest: Omit<Resolved, 'graph' | 'resolution'> & {
    graph: Omit<Resolved['graph'], 'keys'>
    resolution: Omit<Resolved['resolution'], 'affected'>
  }
  keys: PackedList
  affected: PackedList
}

/** What an upload was answered, as it goes from a thread to another. */
export type PackedUpload = Exclude<UploadAnswer, Resolved> | Packed

/** Makes a message of what was resolved, and names what is moved with it and not copied. */
export const packUpload = (upload: UploadAnswer): { message: PackedUpload; moved: ArrayBuffer[] } => {
  if (upload === lacksGraph || !upload.ok) return { message: upload, moved: [] }
  const { keys, ...graph } = upload.graph
  const { affected, ...resolution } = upload.resolution
  const message = {
    rest: { ...upload, graph, resolution },
    keys: packList(keys),
    affected: packList(affected),
  }
  const texts = [graph.body, graph.outline, graph.listing, graph.compact, ...message.keys, ...message.affected]
  return { message, moved: texts.map(({ buffer }) => buffer) }
}

/** See packUpload. */
export const unpackUpload = async (message: PackedUpload): Promise<UploadAnswer> => {
  if (message === lacksGraph || !('rest' in message)) return message
  const { rest, keys, affected } = message
  return {
    ...rest,
    graph: { ...rest.graph, keys: await inSteps(unpackList<string>(keys)) },
    resolution: {
      ...rest.resolution,
      affected: await inSteps(unpackList<AffectedStack>(affected)),
    },
  }
}

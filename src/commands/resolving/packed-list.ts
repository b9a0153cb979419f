import type { Steps } from '#domain/steps.ts'
import { jsonBytes, portionsOf } from '#portions.ts'

/**
 * A long list as it goes from a thread to another: the JSON texts of its portions. A thread takes a message as a whole, without a turn
 * for others: the objects of 20,000 stacks held it for 66 ms, and their texts are read in portions.
 */
export type PackedList = Uint8Array<ArrayBuffer>[]

export const packList = (list: readonly unknown[]): PackedList => Array.from(portionsOf(list), jsonBytes)

export function* unpackList<T>(portions: PackedList): Steps<T[]> {
  const list: T[] = []
  for (const { buffer, byteOffset, byteLength } of portions) {
    list.push(...(JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString('utf8')) as T[]))
    yield
  }
  return list
}

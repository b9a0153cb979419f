import type { Readable } from 'node:stream'

/**
 * Where whole plan texts and old months are kept outside the database: objects under names. An object is replaced, never appended to, and never
 * deleted by the service: the bucket's own rule says how long objects live.
 */
export type ArtifactStore = {
  /**
   * Where an object of this name is, or would be (`s3://bucket/prefix/name`). `get` takes this location, so objects are found
   * after the prefix was changed.
   */
  locate(name: string): string
  /** Keeps an object whole or not at all. Throws StoreRefusal or StoreOutage. */
  put(name: string, object: { body: Buffer; contentType: string }, signal?: AbortSignal): Promise<void>
  /**
   * The object's bytes as they come, or undefined if there is none (any more). Throws StoreRefusal or StoreOutage. The stream
   * ends with an error if the connection breaks off, and the read with the signal. With a stretch it is only those bytes.
   */
  get(location: string, signal?: AbortSignal, stretch?: Stretch): Promise<StoredObject | undefined>
}

/** Some bytes of an object, at least one. */
export type Stretch = { start: number; bytes: number }

export type StoredObject = { body: Readable; bytes: number | undefined }

/** The store was reached and refuses: credentials, permissions or the bucket's name are wrong. Trying again does not help. */
export class StoreRefusal extends Error {}

/** The store cannot be reached, asks to be left alone or broke down: trying again may help. */
export class StoreOutage extends Error {}

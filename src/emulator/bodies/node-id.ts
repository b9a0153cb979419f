/** GraphQL's id of a thing: opaque, made here of kind and number. */
export const nodeId = (kind: string, id: number | string): string =>
  `${kind}_${Buffer.from(`${kind}:${id}`).toString('base64url')}`

/** A moment as GitHub writes it: UTC, whole seconds. */
export const stamp = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`

/** GraphQL's id: opaque, made here from kind and number. */
export const nodeId = (kind: string, id: number | string): string =>
  `${kind}_${Buffer.from(`${kind}:${id}`).toString('base64url')}`

/** A time as GitHub writes it: UTC, whole seconds. */
export const stamp = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`

import { shortDigest } from '#short-digest.ts'

/** Identifies content that was sent before, by 132 bits: one is kept of each check run. */
export const digestOf = (content: unknown): string => shortDigest(JSON.stringify(content))

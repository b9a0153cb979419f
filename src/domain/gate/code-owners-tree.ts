import { type Pattern, patternOf } from '#domain/config/wildcard.ts'
import type { Segment } from './code-owners-pattern.ts'

/** A name with wildcards. Its plain `head` and `tail`, and the longest part of it, say no to most names at once. */
export type Wild = {
  text: string
  head: string
  part: string
  tail: string
  next: Node
  /** Made for the first name that is not ruled out: it has a function for each character. */
  pattern?: Pattern
}

/**
 * Patterns that agree so far. `end` is the last of those that end here, `most` of those that go through here; `any` follows on
 * `**`, and `repeats` if it is that itself. Most have one way on or none, and 3 MB have 300,000: maps are made where they hold something, since
 * three empty ones take ten times what the rest does.
 */
export type Node = {
  texts?: Map<string, Node>
  wilds?: Map<string, Wild>
  any?: Node
  repeats: boolean
  end: number
  most: number
  /** What the names that were asked for lead to through wildcards. */
  known?: Map<string, readonly Node[]>
}

export const newNode = (repeats = false): Node => ({ repeats, end: -1, most: -1 })

/** Undefined if it is unclear which names are meant. */
const wildOf = (text: string): Wild | undefined => {
  if (patternOf(text) === undefined) return undefined
  const parts = /[[\\]/.test(text) ? [''] : text.split(/[*?]/)
  const longest = parts.reduce((most, part) => (part.length > most.length ? part : most))
  return { text, head: parts[0] ?? '', part: longest, tail: parts.at(-1) ?? '', next: newNode() }
}

const follow = (node: Node, segment: Segment): Node | undefined => {
  if (segment.kind === 'any') {
    node.any ??= newNode(true)
    return node.any
  }
  if (segment.kind === 'text') {
    const next = node.texts?.get(segment.text) ?? newNode()
    node.texts ??= new Map()
    node.texts.set(segment.text, next)
    return next
  }
  const wild = node.wilds?.get(segment.text) ?? wildOf(segment.text)
  if (wild === undefined) return undefined
  node.wilds ??= new Map()
  node.wilds.set(segment.text, wild)
  return wild.next
}

/** Adds the pattern with this number below a node; false if it is unclear which paths are meant. */
export const addPattern = (root: Node, segments: readonly Segment[], at: number): boolean => {
  const passed = [root]
  let end = root
  for (const segment of segments) {
    const next = follow(end, segment)
    if (next === undefined) return false
    passed.push(next)
    end = next
  }
  for (const node of passed) node.most = Math.max(node.most, at)
  end.end = Math.max(end.end, at)
  return true
}

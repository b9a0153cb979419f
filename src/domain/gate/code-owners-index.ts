import { isOneChar, isStar, matchesParts, patternOf } from '#domain/config/wildcard.ts'
import type { Steps } from '../steps.ts'
import type { Segment } from './code-owners-pattern.ts'
import { addPattern, type Node, newNode, type Wild } from './code-owners-tree.ts'

/** Comparisons of characters, and steps: some 0.2 s. Real files with 3,000 paths need less than a tenth. */
const mostWork = 5_000_000

/** Segments with wildcards: 300 names in the place of so many are all the work already. 115,000 of them, which 3 MB can have, took 120 MB. */
const mostWilds = 20_000

/** A step of matching a name: some 1 ms. */
const STEP_WILDS = 1000

class TooMuch extends Error {}

/** Counts work, and throws once there is too much. */
type Spend = () => void

const matches = (wild: Wild, name: string, spend: Spend): boolean => {
  spend()
  if (!name.startsWith(wild.head) || !name.endsWith(wild.tail) || !name.includes(wild.part)) return false
  wild.pattern ??= patternOf(wild.text) ?? []
  return matchesParts(wild.pattern, name, isStar, (each, char) => {
    spend()
    return isOneChar(each, char)
  })
}

function* throughWilds(node: Node, name: string, spend: Spend): Steps<readonly Node[]> {
  const known = node.known?.get(name)
  if (known !== undefined) return known
  const found: Node[] = []
  let tried = 0
  for (const wild of node.wilds?.values() ?? []) {
    tried += 1
    if (tried % STEP_WILDS === 0) yield
    if (matches(wild, name, spend)) found.push(wild.next)
  }
  node.known ??= new Map()
  node.known.set(name, found)
  return found
}

/** Where a path has led so far: nodes that are still of interest, and the last pattern that matches whatever comes. */
type Reach = { nodes: readonly Node[]; best: number }

/** From these nodes, and those that `**` leads to without a name. */
const reachOf = (given: readonly Node[], best: number, spend: Spend): Reach => {
  const nodes = new Set<Node>()
  let known = best
  for (const node of given) {
    for (let each: Node | undefined = node; each !== undefined; each = each.any) {
      spend()
      nodes.add(each)
      if (each.repeats) known = Math.max(known, each.end)
    }
  }
  return { nodes: [...nodes].filter(({ most }) => most > known), best: known }
}

function* step({ nodes, best }: Reach, name: string, spend: Spend): Steps<Reach> {
  const next: Node[] = []
  for (const node of nodes) {
    if (node.repeats) next.push(node)
    const text = node.texts?.get(name)
    if (text !== undefined) next.push(text)
    if (node.wilds) for (const each of yield* throughWilds(node, name, spend)) next.push(each)
  }
  return reachOf(next, best, spend)
}

export type OwnersIndex = {
  /** Adds the pattern with this number; false if it is unclear which paths are meant. */
  add(segments: readonly Segment[], at: number): boolean
  /** The number of the last pattern that matches a path, -1 if none does; 'too much' for too many wildcards, or once the work is used up. */
  find(path: string): Steps<number | 'too much'>
}

/**
 * An index of patterns by their segments. A path is followed through all patterns at once, and what it shares with the path
 * before it is not followed again; so sorted paths take time linear in their length, but for wildcards in the same place. Those
 * are compared with each name once, within a bound on the work of all paths together.
 */
export const ownersIndex = (): OwnersIndex => {
  const root = newNode()
  let work = 0
  let wilds = 0
  const spend = (): void => {
    work += 1
    if (work > mostWork) throw new TooMuch()
  }
  let before: { names: string[]; reaches: Reach[] } = { names: [], reaches: [] }

  function* lastMatch(names: string[]): Steps<number> {
    const { names: last, reaches } = before
    let shared = 0
    while (shared < names.length && shared < last.length && names[shared] === last[shared]) shared += 1
    const kept = reaches.slice(0, shared + 1)
    before = { names, reaches: kept }
    let at = kept[shared] ?? reachOf([root], -1, spend)
    if (kept.length === 0) kept.push(at)
    for (const name of names.slice(shared)) {
      at = yield* step(at, name, spend)
      kept.push(at)
    }
    return at.nodes.reduce((most, { end }) => Math.max(most, end), at.best)
  }

  return {
    add: (segments, at) => {
      wilds += segments.filter(({ kind }) => kind === 'wild').length
      return wilds > mostWilds || addPattern(root, segments, at)
    },
    *find(path) {
      if (wilds > mostWilds) return 'too much'
      try {
        return yield* lastMatch(path.split('/'))
      } catch (error) {
        if (error instanceof TooMuch) return 'too much'
        throw error
      }
    },
  }
}

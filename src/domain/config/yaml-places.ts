import { isAlias, isMap, isNode, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml'
import type { YamlText } from './yaml-text.ts'
import { isMerge } from './yaml-value.ts'

type Key = PropertyKey

/** Counted from 1. */
export type Place = { line: number; column: number }

/** A path in a document, and whether its last key itself is meant, or what it has. */
type YamlPath = { path: readonly Key[]; atKey: boolean }

/**
 * Finds places in a document: the node that a path leads to, or the nearest one above it if a key is missing. What an alias or
 * `<<` brings in is where it is written. The keys of a map are listed once, or 10,000 look-ups in it would read it 10,000 times.
 */
export const placesIn = ({ document, lines, targets }: YamlText): ((at: YamlPath) => Place) => {
  const listed = new WeakMap<YAMLMap, Map<string, Pair>>()
  const meantBy = (node: unknown): unknown => (isAlias(node) ? targets.get(node) : node)

  const pairsOf = (map: YAMLMap): Map<string, Pair> => {
    const known = listed.get(map)
    if (known !== undefined) return known
    const pairs = new Map<string, Pair>()
    for (const pair of map.items)
      if (!isMerge(pair)) pairs.set(isScalar(pair.key) ? String(pair.key.value ?? '') : '', pair)
    for (const { value } of map.items.filter(isMerge))
      for (const source of isSeq(value) ? value.items : [value]) {
        const other = meantBy(source)
        if (!isMap(other)) continue
        for (const [name, pair] of pairsOf(other)) if (!pairs.has(name)) pairs.set(name, pair)
      }
    listed.set(map, pairs)
    return pairs
  }

  const offsetOf = ({ path, atKey }: YamlPath): number => {
    let node: unknown = document.contents
    let offset = 0
    for (const [depth, key] of path.entries()) {
      if (isNode(node)) offset = node.range?.[0] ?? offset
      const at = meantBy(node)
      const pair = isMap(at) ? pairsOf(at).get(String(key)) : undefined
      if (atKey && depth === path.length - 1 && isNode(pair?.key)) return pair.key.range?.[0] ?? offset
      node = pair === undefined && isSeq(at) ? at.items[Number(key)] : pair?.value
      if (!isNode(node)) return offset
    }
    return isNode(node) ? (node.range?.[0] ?? offset) : offset
  }

  return (at) => {
    const { line, col } = lines.linePos(offsetOf(at))
    return { line, column: col }
  }
}

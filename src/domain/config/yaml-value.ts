import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar } from 'yaml'
import { checkDepth, YamlFault } from './yaml-fault.ts'

/** Values that all aliases together stand for: `a: &a [x]`, `b: &b [*a, *a]` and so on double with each line. */
const MAX_REPEATED = 10_000

type Size = { nodes: number; depth: number }

type Read = { value: unknown; size: Size; node: unknown }

/** The node that each alias stands for. */
export type AliasTargets = Map<Alias, unknown>

const one: Size = { nodes: 1, depth: 1 }

const withInner = (outer: Size, inner: Size): Size => ({
  nodes: outer.nodes + inner.nodes,
  depth: Math.max(outer.depth, inner.depth + 1),
})

const beside = (size: Size, other: Size): Size => ({
  nodes: size.nodes + other.nodes,
  depth: Math.max(size.depth, other.depth),
})

const offsetOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0

const keyOf = (key: unknown): string => {
  if (!isScalar(key)) throw new YamlFault('a key must be text', offsetOf(key))
  return String(key.value ?? '')
}

/** `<<` without quotes: the keys of other maps, for those that the map itself does not have. */
export const isMerge = ({ key }: Pair): boolean =>
  isScalar(key) && key.value === '<<' && (key as Scalar).type === 'PLAIN'

/** What was read at each anchor. */
const createAnchors = () => {
  const known = new Map<string, Read | 'open'>()
  let repeated = 0
  return {
    begin: (name: string) => void known.set(name, 'open'),
    end: (name: string, read: Read) => void known.set(name, read),
    /** What an alias stands for. */
    find: (name: string, offset: number): Read => {
      const read = known.get(name)
      if (read === undefined) throw new YamlFault(`the alias '*${name}' has no anchor before it`, offset)
      if (read === 'open') throw new YamlFault(`the alias '*${name}' is inside of what it stands for`, offset)
      repeated += read.size.nodes
      if (repeated > MAX_REPEATED)
        throw new YamlFault(`the aliases up to here stand for more than ${MAX_REPEATED} values`, offset)
      return read
    },
  }
}

/**
 * The value of a document, and what its aliases stand for. The library's own conversion looks for the anchor of each alias from
 * the beginning, and for equal keys by comparing each with each: 10,000 keys took 3 s. Throws a YamlFault.
 */
export const valueIn = ({ contents }: Document): { value: unknown; targets: AliasTargets } => {
  const anchors = createAnchors()
  const targets: AliasTargets = new Map()

  /** The maps that a map takes keys from: of several, the earlier ones first. */
  const merged = (value: unknown): { maps: object[]; size: Size } => {
    const sources = isSeq(value) ? value.items : [value]
    let size = one
    const maps = sources.map((source) => {
      const inner = read(source)
      const isOfKeys = typeof inner.value === 'object' && inner.value !== null && !Array.isArray(inner.value)
      if (!isOfKeys) throw new YamlFault("'<<' takes a map, such as *base, or a list of maps", offsetOf(source))
      size = beside(size, inner.size)
      return inner.value as object
    })
    return { maps, size }
  }

  const mapOf = (items: readonly Pair[]): Omit<Read, 'node'> => {
    const entries = new Map<string, unknown>()
    const others: object[] = []
    let size = one
    for (const pair of items) {
      const name = keyOf(pair.key)
      if (entries.has(name)) throw new YamlFault('Map keys must be unique', offsetOf(pair.key))
      if (isMerge(pair)) {
        if (others.length > 0) throw new YamlFault("'<<' is there twice: give it a list of maps", offsetOf(pair.key))
        const found = merged(pair.value)
        others.push(...found.maps)
        size = beside(size, found.size)
        continue
      }
      const inner = read(pair.value)
      entries.set(name, inner.value)
      size = withInner(size, inner.size)
    }
    for (const other of others)
      for (const [name, value] of Object.entries(other)) if (!entries.has(name)) entries.set(name, value)
    return { value: Object.fromEntries(entries), size }
  }

  const seqOf = (items: readonly unknown[]): Omit<Read, 'node'> => {
    const inner = items.map(read)
    return { value: inner.map(({ value }) => value), size: inner.reduce((all, { size }) => withInner(all, size), one) }
  }

  const contentOf = (node: unknown): Read => {
    if (isAlias(node)) {
      const found = anchors.find(node.source, offsetOf(node))
      targets.set(node, found.node)
      return found
    }
    if (isMap(node)) return { ...mapOf(node.items), node }
    if (isSeq(node)) return { ...seqOf(node.items), node }
    return { value: isScalar(node) ? node.value : null, size: one, node }
  }

  const read = (node: unknown): Read => {
    const anchor = isAlias(node) ? undefined : (node as { anchor?: string } | null)?.anchor
    if (anchor !== undefined) anchors.begin(anchor)
    const found = contentOf(node)
    checkDepth(found.size.depth, offsetOf(node))
    if (anchor !== undefined) anchors.end(anchor, found)
    return found
  }

  return { value: read(contents).value, targets }
}

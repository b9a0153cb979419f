import { type Document, isAlias, isMap, isScalar, isSeq, type Node } from 'yaml'
import { checkDepth, YamlFault } from './yaml-fault.ts'

/** Values that all aliases together stand for: `a: &a [x]`, `b: &b [*a, *a]` and so on double with each line. */
const MAX_REPEATED = 10_000

type Size = { nodes: number; depth: number }

type Read = { value: unknown; size: Size }

const one: Size = { nodes: 1, depth: 1 }

const withInner = (outer: Size, inner: Size): Size => ({
  nodes: outer.nodes + inner.nodes,
  depth: Math.max(outer.depth, inner.depth + 1),
})

const offsetOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0

const keyOf = (key: unknown): string => {
  if (!isScalar(key)) throw new YamlFault('a key must be text', offsetOf(key))
  return String(key.value ?? '')
}

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
 * The value of a document. The library's own conversion looks for the anchor of each alias from the beginning, and for equal
 * keys by comparing each with each: 10,000 keys took 3 s. Throws a YamlFault.
 */
export const valueIn = ({ contents }: Document): unknown => {
  const anchors = createAnchors()

  const mapOf = (items: readonly { key: unknown; value: unknown }[]): Read => {
    const entries = new Map<string, unknown>()
    let size = one
    for (const { key, value } of items) {
      const name = keyOf(key)
      if (entries.has(name)) throw new YamlFault('Map keys must be unique', offsetOf(key))
      const inner = read(value)
      entries.set(name, inner.value)
      size = withInner(size, inner.size)
    }
    return { value: Object.fromEntries(entries), size }
  }

  const seqOf = (items: readonly unknown[]): Read => {
    const inner = items.map(read)
    return { value: inner.map(({ value }) => value), size: inner.reduce((all, { size }) => withInner(all, size), one) }
  }

  const contentOf = (node: unknown): Read => {
    if (isAlias(node)) return anchors.find(node.source, offsetOf(node))
    if (isMap(node)) return mapOf(node.items)
    if (isSeq(node)) return seqOf(node.items)
    return { value: isScalar(node) ? node.value : null, size: one }
  }

  const read = (node: unknown): Read => {
    const anchor = isAlias(node) ? undefined : (node as { anchor?: string } | null)?.anchor
    if (anchor !== undefined) anchors.begin(anchor)
    const found = contentOf(node)
    checkDepth(found.size.depth, offsetOf(node))
    if (anchor !== undefined) anchors.end(anchor, found)
    return found
  }

  return read(contents).value
}

import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
} from 'yaml'

/** A place in a text, counted from 1, and what is wrong there. */
export type YamlProblem = { message: string; line: number; column: number }

/** A text that was read: its document, the value, and where its lines begin. */
export type YamlText = { document: Document; value: unknown; lines: LineCounter }

/** Deeper than anything that svc.yml knows. The library and what comes after it follow each level by a call. */
const MAX_DEPTH = 50
/** Words and marks: 1 MB of them, a comma each, took 8 s. This many are some 15,000 lines. */
const MAX_TOKENS = 100_000

/** Values that all aliases together stand for: `a: &a [x]`, `b: &b [*a, *a]` and so on double with each line. */
const MAX_REPEATED = 10_000

class Found extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** As the library's parseDocument, but with a look at the depth after each token: it stops before it has built what is too deep. */
const documentOf = (text: string, lines: LineCounter): Document => {
  const parser = new Parser(lines.addNewLine)
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, logLevel: 'silent' })
  const tokens: CST.Token[] = []
  lines.addNewLine(0)
  let count = 0
  for (const source of new Lexer().lex(text)) {
    tokens.push(...parser.next(source))
    count += 1
    if (count > MAX_TOKENS) throw new Found(`has more than ${MAX_TOKENS} words and marks`, parser.offset)
    if (parser.stack.length > MAX_DEPTH) throw new Found(`is nested more than ${MAX_DEPTH} levels deep`, parser.offset)
  }
  tokens.push(...parser.end())
  const [document, second] = composer.compose(tokens, true, text.length)
  if (document === undefined) throw new Found('is not YAML', 0)
  if (second !== undefined) throw new Found('Source contains multiple documents', second.range?.[0] ?? 0)
  return document
}

type Size = { nodes: number; depth: number }

type Read = { value: unknown; size: Size }

const offsetOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0

const larger = (one: Size, other: Size): Size => ({
  nodes: one.nodes + other.nodes,
  depth: Math.max(one.depth, other.depth + 1),
})

/**
 * The value of a document. The library's own conversion looks for the anchor of each alias from the beginning, and for equal
 * keys by comparing each with each: 10,000 keys took 3 s.
 */
const contentsOf = (document: Document): unknown => {
  const anchors = new Map<string, Read | 'open'>()
  let repeated = 0

  const aliased = (name: string, node: unknown): Read => {
    const seen = anchors.get(name)
    if (seen === undefined) throw new Found(`the alias '*${name}' has no anchor before it`, offsetOf(node))
    if (seen === 'open') throw new Found(`the alias '*${name}' is inside of what it stands for`, offsetOf(node))
    repeated += seen.size.nodes
    if (repeated > MAX_REPEATED)
      throw new Found(`the aliases up to here stand for more than ${MAX_REPEATED} values`, offsetOf(node))
    return seen
  }

  const keyOf = (key: unknown): string => {
    if (!isScalar(key)) throw new Found('a key must be text', offsetOf(key))
    return String(key.value ?? '')
  }

  const mapOf = (items: readonly { key: unknown; value: unknown }[]): Read => {
    const entries = new Map<string, unknown>()
    let size: Size = { nodes: 1, depth: 1 }
    for (const { key, value } of items) {
      const name = keyOf(key)
      if (entries.has(name)) throw new Found('Map keys must be unique', offsetOf(key))
      const inner = read(value)
      entries.set(name, inner.value)
      size = larger(size, inner.size)
    }
    return { value: Object.fromEntries(entries), size }
  }

  const seqOf = (items: readonly unknown[]): Read => {
    const inner = items.map(read)
    return {
      value: inner.map(({ value }) => value),
      size: inner.reduce((size, each) => larger(size, each.size), { nodes: 1, depth: 1 }),
    }
  }

  const contentOf = (node: unknown): Read => {
    if (isAlias(node)) return aliased(node.source, node)
    if (isMap(node)) return mapOf(node.items)
    if (isSeq(node)) return seqOf(node.items)
    return { value: isScalar(node) ? node.value : null, size: { nodes: 1, depth: 1 } }
  }

  const read = (node: unknown): Read => {
    const anchor = isAlias(node) ? undefined : (node as { anchor?: string } | null)?.anchor
    if (anchor !== undefined) anchors.set(anchor, 'open')
    const found = contentOf(node)
    if (found.size.depth > MAX_DEPTH) throw new Found(`is nested more than ${MAX_DEPTH} levels deep`, offsetOf(node))
    if (anchor !== undefined) anchors.set(anchor, found)
    return found
  }

  return read(document.contents).value
}

const plain = (message: string): string => (message.split(' at line ', 1)[0] ?? '').trimEnd()

/** Reads a text as one document of YAML, or says what is wrong with it and where, in time linear in its length. */
export const readYaml = (text: string): { ok: true; read: YamlText } | { ok: false; problems: YamlProblem[] } => {
  const lines = new LineCounter()
  const placed = (message: string, offset: number): YamlProblem => {
    const { line, col } = lines.linePos(offset)
    return { message: plain(message), line, column: col }
  }
  try {
    const document = documentOf(text, lines)
    if (document.errors.length > 0)
      return { ok: false, problems: document.errors.map(({ message, pos }) => placed(message, pos[0])) }
    return { ok: true, read: { document, value: contentsOf(document), lines } }
  } catch (error) {
    if (error instanceof Found) return { ok: false, problems: [placed(error.message, error.offset)] }
    throw error
  }
}

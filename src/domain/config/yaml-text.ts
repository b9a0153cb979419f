import { Composer, type CST, type Document, Lexer, LineCounter, Parser } from 'yaml'
import { finish, type Steps } from '../steps.ts'
import { checkDepth, YamlFault } from './yaml-fault.ts'
import { type AliasTargets, valueIn } from './yaml-value.ts'

/** A place in a text, counted from 1, and what is wrong there. */
export type YamlProblem = { message: string; line: number; column: number }

/** A text that was read: its document, the value, what its aliases stand for, and where its lines begin. */
export type YamlText = { document: Document; value: unknown; targets: AliasTargets; lines: LineCounter }

/** Words and marks: 1 MB of them, a comma each, took 8 s. This many are some 15,000 lines. */
const MAX_TOKENS = 100_000

/** A step of reading: some 3 ms, and on a slow core that has not warmed up some 15. */
const STEP_TOKENS = 2000

/** As the library's parseDocument, but with a look at the depth after each token: it stops before it has built what is too deep. */
function* documentOf(text: string, lines: LineCounter): Steps<Document> {
  const parser = new Parser(lines.addNewLine)
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, logLevel: 'silent' })
  const tokens: CST.Token[] = []
  lines.addNewLine(0)
  let count = 0
  for (const source of new Lexer().lex(text)) {
    tokens.push(...parser.next(source))
    count += 1
    if (count > MAX_TOKENS) throw new YamlFault(`has more than ${MAX_TOKENS} words and marks`, parser.offset)
    checkDepth(parser.stack.length, parser.offset)
    if (count % STEP_TOKENS === 0) yield
  }
  tokens.push(...parser.end())
  yield
  const [document, second] = composer.compose(tokens, true, text.length)
  if (document === undefined) throw new YamlFault('is not YAML', 0)
  if (second !== undefined) throw new YamlFault('Source contains multiple documents', second.range?.[0] ?? 0)
  return document
}

const plain = (message: string): string => (message.split(' at line ', 1)[0] ?? '').trimEnd()

type ReadYaml = { ok: true; read: YamlText } | { ok: false; problems: YamlProblem[] }

/** Reads a text as one document of YAML, or says what is wrong with it and where, in time linear in its length. */
export const readYaml = (text: string): ReadYaml => finish(readYamlInSteps(text))

/** The same for who has others waiting: 256 KB take some 130 ms. */
export function* readYamlInSteps(text: string): Steps<ReadYaml> {
  const lines = new LineCounter()
  const placed = (message: string, offset: number): YamlProblem => {
    const { line, col } = lines.linePos(offset)
    return { message: plain(message), line, column: col }
  }
  try {
    const document = yield* documentOf(text, lines)
    yield
    if (document.errors.length > 0)
      return { ok: false, problems: document.errors.map(({ message, pos }) => placed(message, pos[0])) }
    return { ok: true, read: { document, ...valueIn(document), lines } }
  } catch (error) {
    if (error instanceof YamlFault) return { ok: false, problems: [placed(error.message, error.offset)] }
    throw error
  }
}

import { parseAst } from 'vite'

/** A regular expression as it is written in a file. */
export type Expression = { source: string; flags: string; line: number }

type Syntax = { type: string; start: number; [field: string]: unknown }

const isSyntax = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Syntax>).type === 'string'

const everyNode = function* (value: unknown): Generator<Syntax> {
  if (isSyntax(value)) yield value
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* everyNode(inner)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The text of a string, or of a template, in which what is put in counts as a letter. Undefined for anything else. */
const writtenText = (node: unknown): string | undefined => {
  if (!isSyntax(node)) return undefined
  if (node.type === 'Literal') return textOf(node.value)
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return undefined
  return node.quasis.map(({ value }: { value: { cooked: string } }) => value.cooked).join('x')
}

const expressionOf = (node: Syntax): Omit<Expression, 'line'> | 'made elsewhere' | undefined => {
  if (node.type === 'Literal' && typeof node.regex === 'object' && node.regex !== null) {
    const { pattern, flags } = node.regex as { pattern: string; flags: string }
    return { source: pattern, flags }
  }
  const isCall = node.type === 'NewExpression' || node.type === 'CallExpression'
  if (!isCall || !isSyntax(node.callee) || node.callee.name !== 'RegExp') return undefined
  const [pattern, flags] = Array.isArray(node.arguments) ? node.arguments : []
  const source = writtenText(pattern)
  return source === undefined ? 'made elsewhere' : { source, flags: writtenText(flags) ?? '' }
}

/**
 * The regular expressions of a TypeScript file: literals, and calls of RegExp with a string or template in place. Throws for
 * one whose text is not written there: nobody could check it.
 */
export const findExpressions = (text: string): Expression[] =>
  [...everyNode(parseAst(text, { lang: 'ts' }))].flatMap((node) => {
    const expression = expressionOf(node)
    if (expression === undefined) return []
    const line = text.slice(0, node.start).split('\n').length
    if (expression === 'made elsewhere')
      throw new Error(`line ${line}: write the text of the regular expression where RegExp is called`)
    return [{ ...expression, line }]
  })

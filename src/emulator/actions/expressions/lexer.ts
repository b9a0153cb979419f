/** An expression that GitHub would refuse, or that this emulator doesn't know; the message quotes it. */
export class ExpressionError extends Error {
  constructor(reason: string, expression: string) {
    super(`${reason} in expression '${expression}'`)
    this.name = 'ExpressionError'
  }
}

export type Token =
  | { kind: 'literal'; value: null | boolean | number | string; at: number }
  | { kind: 'name'; name: string; at: number }
  | { kind: 'sign'; sign: Sign; at: number }

export type Sign = (typeof signs)[number]

// Longest first: '<=' must be tried before '<'.
const signs = ['&&', '||', '==', '!=', '<=', '>=', '<', '>', '!', '(', ')', '[', ']', '.', ',', '*'] as const

const blank = /\s+/y
const word = /[A-Za-z_][A-Za-z0-9_-]*/y
const number = /[+-]?(?:0x[0-9a-f]+|0o[0-7]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|Infinity)(?![A-Za-z0-9_.])/iy
const text = /'((?:[^']|'')*)'/y
const constants = new Map<string, null | boolean | number>([
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
])

const match = (pattern: RegExp, source: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(source)
}

/** After '.' a word is a property, whatever it is; in an operand's place it may be a constant. */
const wordToken = (name: string, at: number, previous: Token | undefined): Token => {
  const isProperty = previous?.kind === 'sign' && previous.sign === '.'
  const constant = isProperty ? undefined : constants.get(name)
  return constant === undefined ? { kind: 'name', name, at } : { kind: 'literal', value: constant, at }
}

/** A dot or sign can begin a number only if no operand has just ended: `a.1` is a wrong property, `.5` a number. */
const endsOperand = (token: Token | undefined): boolean =>
  token !== undefined && (token.kind !== 'sign' || token.sign === ')' || token.sign === ']')

const nextToken = (source: string, at: number, previous: Token | undefined): [Token, number] => {
  const quoted = match(text, source, at)
  if (quoted) return [{ kind: 'literal', value: (quoted[1] ?? '').replaceAll("''", "'"), at }, quoted[0].length]
  const found = endsOperand(previous) ? null : match(number, source, at)
  if (found) return [{ kind: 'literal', value: Number(found[0]), at }, found[0].length]
  const name = match(word, source, at)?.[0]
  if (name) return [wordToken(name, at, previous), name.length]
  const sign = signs.find((candidate) => source.startsWith(candidate, at))
  if (sign) return [{ kind: 'sign', sign, at }, sign.length]
  const hint = source[at] === '"' ? " (strings take single quotes: 'text')" : ''
  throw new ExpressionError(`unexpected '${source.slice(at, at + 10)}' at position ${at + 1}${hint}`, source)
}

/**
 * Tokens of one expression, without the `${{ }}` around it. Throws ExpressionError.
 * Source: docs.github.com, 'Evaluate expressions in workflows and actions', Literals and Operators.
 */
export const tokenize = (source: string): Token[] => {
  const tokens: Token[] = []
  let at = 0
  while (at < source.length) {
    const space = match(blank, source, at)
    if (space) {
      at += space[0].length
      continue
    }
    const [token, length] = nextToken(source, at, tokens.at(-1))
    tokens.push(token)
    at += length
  }
  return tokens
}

import { ExpressionError, type Sign, type Token, tokenize } from './lexer.ts'

export type BinaryOperator = '==' | '!=' | '<' | '<=' | '>' | '>='

/** The tree of an expression. `context` is a bare name such as github; `index` is both a.b and a['b']. */
export type Expression =
  | { kind: 'literal'; value: null | boolean | number | string }
  | { kind: 'context'; name: string }
  | { kind: 'index'; target: Expression; key: Expression }
  | { kind: 'call'; name: string; args: Expression[] }
  | { kind: 'not'; operand: Expression }
  | { kind: 'logic'; operator: '&&' | '||'; left: Expression; right: Expression }
  | { kind: 'compare'; operator: BinaryOperator; left: Expression; right: Expression }

type Cursor = {
  peek(): Token | undefined
  /** Takes the next token if it is one of these signs. */
  accept<S extends Sign>(...signs: S[]): S | undefined
  expect(sign: Sign): void
  take(): Token
  fail(reason: string): never
}

const createCursor = (source: string): Cursor => {
  const tokens = tokenize(source)
  let next = 0
  const peek = () => tokens[next]
  const fail = (reason: string): never => {
    const token = peek()
    throw new ExpressionError(`${reason} ${token ? `at position ${token.at + 1}` : 'at the end'}`, source)
  }
  const accept = <S extends Sign>(...signs: S[]): S | undefined => {
    const token = peek()
    const found = token?.kind === 'sign' ? signs.find((sign) => sign === token.sign) : undefined
    if (found) next += 1
    return found
  }
  const expect = (sign: Sign) => {
    if (!accept(sign)) fail(`expected '${sign}'`)
  }
  const take = () => {
    const token = peek() ?? fail('expected a value')
    next += 1
    return token
  }
  return { peek, accept, expect, take, fail }
}

const parseArguments = (cursor: Cursor): Expression[] => {
  const args: Expression[] = []
  if (cursor.accept(')')) return args
  do args.push(parseOr(cursor))
  while (cursor.accept(','))
  cursor.expect(')')
  return args
}

const parsePrimary = (cursor: Cursor): Expression => {
  if (cursor.accept('(')) {
    const inner = parseOr(cursor)
    cursor.expect(')')
    return inner
  }
  const token = cursor.peek()
  if (token === undefined || token.kind === 'sign') return cursor.fail('expected a value')
  cursor.take()
  if (token.kind === 'literal') return { kind: 'literal', value: token.value }
  return cursor.accept('(')
    ? { kind: 'call', name: token.name, args: parseArguments(cursor) }
    : { kind: 'context', name: token.name }
}

const parsePostfix = (cursor: Cursor): Expression => {
  let target = parsePrimary(cursor)
  for (let sign = cursor.accept('.', '['); sign; sign = cursor.accept('.', '[')) {
    const token = cursor.peek()
    if (token?.kind === 'sign' && token.sign === '*')
      cursor.fail('object filters (*) are not supported by this emulator')
    if (sign === '[') {
      target = { kind: 'index', target, key: parseOr(cursor) }
      cursor.expect(']')
    } else if (token?.kind === 'name') {
      cursor.take()
      target = { kind: 'index', target, key: { kind: 'literal', value: token.name } }
    } else cursor.fail('expected a property name')
  }
  return target
}

const parseNot = (cursor: Cursor): Expression =>
  cursor.accept('!') ? { kind: 'not', operand: parseNot(cursor) } : parsePostfix(cursor)

const parseRelation = (cursor: Cursor): Expression => {
  let left = parseNot(cursor)
  for (let operator = cursor.accept('<', '<=', '>', '>='); operator; operator = cursor.accept('<', '<=', '>', '>='))
    left = { kind: 'compare', operator, left, right: parseNot(cursor) }
  return left
}

const parseEquality = (cursor: Cursor): Expression => {
  let left = parseRelation(cursor)
  for (let operator = cursor.accept('==', '!='); operator; operator = cursor.accept('==', '!='))
    left = { kind: 'compare', operator, left, right: parseRelation(cursor) }
  return left
}

const parseAnd = (cursor: Cursor): Expression => {
  let left = parseEquality(cursor)
  while (cursor.accept('&&')) left = { kind: 'logic', operator: '&&', left, right: parseEquality(cursor) }
  return left
}

const parseOr = (cursor: Cursor): Expression => {
  let left = parseAnd(cursor)
  while (cursor.accept('||')) left = { kind: 'logic', operator: '||', left, right: parseAnd(cursor) }
  return left
}

/**
 * Tree of one expression, without the `${{ }}` around it. Binds tightest first: index, !, relations, equality, &&, ||.
 * Throws ExpressionError. Source: docs.github.com, 'Evaluate expressions in workflows and actions', Operators.
 */
export const parseExpression = (source: string): Expression => {
  const cursor = createCursor(source)
  const expression = parseOr(cursor)
  if (cursor.peek()) cursor.fail('unexpected text')
  return expression
}

import { evaluate, type Scope } from './evaluate.ts'
import { statusFunctions } from './functions.ts'
import { ExpressionError } from './lexer.ts'
import { type Expression, parseExpression } from './parser.ts'
import { isTruthy, toText, type Value } from './value.ts'

type Part = string | Expression

/** Where the expression that begins at `from` ends: at the first }} outside quotes. */
const endOf = (text: string, from: number): number => {
  let quoted = false
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "'") quoted = !quoted
    else if (!quoted && text.startsWith('}}', at)) return at
  }
  throw new ExpressionError('no closing }} to the opening braces', text)
}

/** Literal text and expressions of a value in a workflow file, in order. Throws ExpressionError. */
export const parseTemplate = (text: string): Part[] => {
  const parts: Part[] = []
  let from = 0
  for (let open = text.indexOf('${{'); open >= 0; open = text.indexOf('${{', from)) {
    if (open > from) parts.push(text.slice(from, open))
    const close = endOf(text, open + 3)
    parts.push(parseExpression(text.slice(open + 3, close).trim()))
    from = close + 2
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

/** Value of a text that may hold expressions: of any type if it is a single expression, else a string. */
export const fill = (text: string, scope: Scope): Value => {
  const parts = parseTemplate(text)
  const only = parts.length === 1 ? parts[0] : undefined
  if (only !== undefined && typeof only !== 'string') return evaluate(only, scope)
  return parts.map((part) => (typeof part === 'string' ? part : toText(evaluate(part, scope)))).join('')
}

export const fillText = (text: string, scope: Scope): string => toText(fill(text, scope))

/**
 * The expression of an `if`, which may leave out `${{ }}`. Text around `${{ }}` is refused: GitHub takes it for a non-empty
 * string, which is always true and never intended.
 */
export const parseCondition = (condition: string): Expression => {
  const text = condition.trim()
  if (!text.includes('${{')) return parseExpression(text)
  const [only, ...rest] = parseTemplate(text)
  if (only === undefined || typeof only === 'string' || rest.length > 0)
    throw new ExpressionError('text around the braces makes this condition always true', text)
  return only
}

const children = (expression: Expression): Expression[] => {
  switch (expression.kind) {
    case 'literal':
    case 'context':
      return []
    case 'index':
      return [expression.target, expression.key]
    case 'call':
      return expression.args
    case 'not':
      return [expression.operand]
    default:
      return [expression.left, expression.right]
  }
}

/** The expression and every one inside it. */
export const walk = (expression: Expression): Expression[] => [expression, ...children(expression).flatMap(walk)]

const asksStatus = (expression: Expression): boolean =>
  walk(expression).some((inner) => inner.kind === 'call' && statusFunctions.has(inner.name.toLowerCase()))

/**
 * Whether an `if` holds: `success() &&` is put before an `if` without a status function, and `success()` replaces a missing
 * one.
 */
export const holds = (condition: string | undefined, scope: Scope & { status: { success: boolean } }): boolean => {
  if (condition === undefined || condition.trim() === '') return scope.status.success
  const expression = parseCondition(condition)
  if (!asksStatus(expression) && !scope.status.success) return false
  return isTruthy(evaluate(expression, scope))
}

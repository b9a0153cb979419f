import { builtIns } from './functions.ts'
import { ExpressionError } from './lexer.ts'
import type { BinaryOperator, Expression } from './parser.ts'
import { at, isEqual, isLess, isTruthy, type Value } from './value.ts'

/** What names mean while an expression is evaluated: contexts by name, and the status functions in an `if`. */
export type Scope = {
  contexts: Readonly<Record<string, Value>>
  /** Current values of success, failure, always and cancelled. */
  status?: Readonly<Record<string, boolean>>
}

const compare = (operator: BinaryOperator, left: Value, right: Value): boolean => {
  switch (operator) {
    case '==':
      return isEqual(left, right)
    case '!=':
      return !isEqual(left, right)
    case '<':
      return isLess(left, right)
    case '>':
      return isLess(right, left)
    case '<=':
      return isLess(left, right) || isEqual(left, right)
    case '>=':
      return isLess(right, left) || isEqual(left, right)
  }
}

const call = (name: string, args: readonly Value[], scope: Scope): Value => {
  const key = name.toLowerCase()
  const status = scope.status?.[key]
  if (status !== undefined) return status
  const builtIn = builtIns.get(key)
  if (!builtIn) throw new ExpressionError('unknown function', `${name}()`)
  return builtIn.call(args)
}

/**
 * Value of an expression; && and || return the operand that decided, as GitHub does. Throws if a function refuses its
 * arguments (fromJSON, format). Unknown properties are null.
 */
export const evaluate = (expression: Expression, scope: Scope): Value => {
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'context':
      return at(scope.contexts, expression.name)
    case 'index':
      return at(evaluate(expression.target, scope), evaluate(expression.key, scope))
    case 'call':
      return call(
        expression.name,
        expression.args.map((arg) => evaluate(arg, scope)),
        scope,
      )
    case 'not':
      return !isTruthy(evaluate(expression.operand, scope))
    case 'logic': {
      const left = evaluate(expression.left, scope)
      return isTruthy(left) === (expression.operator === '||') ? left : evaluate(expression.right, scope)
    }
    case 'compare':
      return compare(expression.operator, evaluate(expression.left, scope), evaluate(expression.right, scope))
  }
}

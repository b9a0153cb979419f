import { composed } from './composed.ts'
import { type Cursor, cursorOf, fail, nested, readIdentifier } from './cursor.ts'
import { oneDeeper } from './deeper.ts'
import { HclError } from './hcl-error.ts'
import { skipHeredoc } from './heredoc.ts'
import { Absent, isEqual, memberOf, negated, operate, operatorLevels, truth } from './operators.ts'
import { type Piece, readQuoted } from './quoted.ts'
import { skipExpression, skipInterpolation, stop } from './skip.ts'
import { splitHeredoc } from './template.ts'
import { skipTrivia } from './trivia.ts'
import { asText, bounded, MOST_SIZE, type Partly } from './value.ts'

/*
 * Expressions with functions, operators and conditions, for languages that are made of them (Terragrunt). An expression is read
 * once, into a function that takes the names it is evaluated with. Loops and splats are read over, and have no known value.
 */

/** What an expression is evaluated with. A call evaluates its own arguments, so that `try` can go on after one that fails. */
export type Names = {
  name: (root: string, member: string | undefined) => Partly
  call: (name: string, args: readonly (() => Partly)[]) => Partly
}

/** @throws Absent if it takes something that is surely not there. */
export type Expression = (names: Names) => Partly

const unknown: Expression = () => undefined

const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const FOR = /[[{]\s*for\s+[\p{ID_Continue}-]+(?:\s*,|\s+in\b)/uy

const matchAt = (pattern: RegExp, { text, at }: Cursor): string | undefined => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** The next mark after space and comments, if it is this one. */
const takes = (cursor: Cursor, mark: string): boolean => {
  skipTrivia(cursor, true)
  if (!cursor.text.startsWith(mark, cursor.at)) return false
  cursor.at += mark.length
  return true
}

const joined =
  (pieces: readonly Piece<Expression>[] | undefined): Expression =>
  (names) => {
    if (pieces === undefined) return undefined
    const [first, ...rest] = pieces
    if (first !== undefined && rest.length === 0) return 'text' in first ? composed(first.text) : first.read(names)
    // every part is evaluated: a later one may read a file
    const texts = pieces.map((piece) => ('text' in piece ? piece.text : asText(piece.read(names))))
    const chars = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
    return texts.includes(undefined) || chars > MOST_SIZE ? undefined : composed(texts.join(''))
  }

const readHeredoc = (cursor: Cursor): Expression => {
  const { at, depth } = cursor
  if (!skipHeredoc(cursor, skipInterpolation)) return fail(cursor, 'not an expression')
  const parts = splitHeredoc(cursor.text.slice(at, cursor.at))
  const inner = (expression: string): Expression => {
    const one = cursorOf(expression)
    one.depth = depth + 1
    return whole(one)
  }
  return joined(parts?.map((part) => ('text' in part ? part : { read: inner(part.expression) })))
}

type Argument = { expression: Expression; isSpread: boolean }

const readItems = (cursor: Cursor, closer: string): Argument[] => {
  const items: Argument[] = []
  while (!takes(cursor, closer)) {
    const expression = readConditional(cursor)
    items.push({ expression, isSpread: takes(cursor, '...') })
    if (takes(cursor, ',')) continue
    if (!takes(cursor, closer)) fail(cursor, `'${closer}' is missing`)
    break
  }
  return items
}

const callOf = (name: string, args: readonly Argument[]): Expression => {
  const last = args.at(-1)
  if (last?.isSpread !== true) {
    return (names) =>
      names.call(
        name,
        args.map(
          ({ expression }) =>
            () =>
              expression(names),
        ),
      )
  }
  return (names) => {
    const given = args.slice(0, -1).map(
      ({ expression }) =>
        () =>
          expression(names),
    )
    const list = last.expression(names)
    return Array.isArray(list) ? names.call(name, [...given, ...list.map((item: Partly) => () => item)]) : undefined
  }
}

const readObject = (cursor: Cursor): Expression => {
  const entries: { key: Expression; value: Expression }[] = []
  while (!takes(cursor, '}')) {
    const start = cursor.at
    const word = readIdentifier(cursor)
    skipTrivia(cursor, true)
    const isWord = word !== '' && /[=:]/.test(cursor.text[cursor.at] ?? '') && cursor.text[cursor.at + 1] !== '='
    if (!isWord) cursor.at = start
    const key = isWord ? () => word : readConditional(cursor)
    if (!takes(cursor, '=') && !takes(cursor, ':')) fail(cursor, "'=' is missing")
    entries.push({ key, value: readConditional(cursor) })
    takes(cursor, ',')
  }
  return (names) => {
    const object: Record<string, Partly> = Object.create(null)
    let isWhole = true
    for (const { key, value } of entries) {
      const name = asText(key(names))
      const made = value(names)
      if (name === undefined) isWhole = false
      else object[name] = made
    }
    return isWhole ? bounded(object) : undefined
  }
}

const readName = (cursor: Cursor): Expression => {
  const name = readIdentifier(cursor)
  if (name === '') return fail(cursor, 'not an expression')
  if (cursor.text[cursor.at] === '(') {
    cursor.at += 1
    return callOf(name, readItems(cursor, ')'))
  }
  if (name === 'true' || name === 'false') return () => name === 'true'
  if (name === 'null') return () => null
  if (cursor.text[cursor.at] !== '.') return (names) => names.name(name, undefined)
  const { at } = cursor
  cursor.at += 1
  const member = readIdentifier(cursor)
  if (member !== '') return (names) => names.name(name, member)
  cursor.at = at
  return (names) => names.name(name, undefined)
}

const readPrimary = (cursor: Cursor): Expression => {
  skipTrivia(cursor, true)
  const number = matchAt(NUMBER, cursor)
  if (number !== undefined) {
    cursor.at += number.length
    return () => Number(number)
  }
  const mark = cursor.text[cursor.at]
  if (mark === '"') return joined(readQuoted(cursor, readConditional))
  if (mark === '<') return readHeredoc(cursor)
  if (mark !== '(' && mark !== '[' && mark !== '{') return readName(cursor)
  if (matchAt(FOR, cursor) !== undefined) {
    cursor.at += 1
    skipExpression(cursor, stop.inside)
    cursor.at += 1
    return unknown
  }
  cursor.at += 1
  if (mark === '{') return readObject(cursor)
  if (mark === '[') {
    const items = readItems(cursor, ']')
    return (names) => bounded(items.map(({ expression }) => expression(names)))
  }
  const inside = readConditional(cursor)
  if (!takes(cursor, ')')) fail(cursor, "')' is missing")
  return inside
}

const readStep = (cursor: Cursor): Expression | undefined => {
  const mark = cursor.text[cursor.at]
  if (mark === '.' && !cursor.text.startsWith('...', cursor.at)) {
    cursor.at += 1
    const name = readIdentifier(cursor)
    if (name !== '') return () => name
    const index = matchAt(/\d+/y, cursor)
    if (index === undefined) return takes(cursor, '*') ? unknown : fail(cursor, 'a name is missing')
    cursor.at += index.length
    return () => index
  }
  if (mark !== '[') return undefined
  cursor.at += 1
  const step = takes(cursor, '*') ? unknown : readConditional(cursor)
  return takes(cursor, ']') ? step : fail(cursor, "']' is missing")
}

const readSteps = (cursor: Cursor): Expression => {
  const value = readPrimary(cursor)
  const steps: Expression[] = []
  for (let step = readStep(cursor); step !== undefined; step = readStep(cursor)) steps.push(step)
  if (steps.length === 0) return value
  return (names) => steps.reduce((inner, step) => memberOf(inner, step(names)), value(names))
}

const readUnary = (cursor: Cursor): Expression => {
  const signs: string[] = []
  for (;;) {
    skipTrivia(cursor, true)
    const sign = cursor.text[cursor.at]
    if (sign !== '!' && sign !== '-') break
    signs.push(sign)
    cursor.at += 1
  }
  const value = readSteps(cursor)
  if (signs.length === 0) return value
  return (names) => signs.reduceRight<Partly>((all, sign) => negated(sign, all), value(names))
}

/** Operands of one level are kept in a list: a sum of ten thousand would be as many functions in each other. */
const readBinary = (cursor: Cursor, level: number): Expression => {
  const operators = operatorLevels[level]
  if (operators === undefined) return readUnary(cursor)
  const first = readBinary(cursor, level + 1)
  const more: { operator: string; operand: Expression }[] = []
  for (;;) {
    skipTrivia(cursor, true)
    const operator = operators.find((one) => cursor.text.startsWith(one, cursor.at))
    if (operator === undefined) break
    cursor.at += operator.length
    more.push({ operator, operand: readBinary(cursor, level + 1) })
  }
  if (more.length === 0) return first
  return (names) => more.reduce((left, { operator, operand }) => operate(operator, left, operand(names)), first(names))
}

const orAbsent = (expression: Expression, names: Names): { value: Partly } | undefined => {
  try {
    return { value: expression(names) }
  } catch (error) {
    if (error instanceof Absent) return undefined
    throw error
  }
}

/** Without a known condition both sides are evaluated: they may read files, and be equal. */
const conditional =
  (condition: Expression, yes: Expression, no: Expression): Expression =>
  (names) => {
    const known = truth(condition(names))
    if (known !== undefined) return (known ? yes : no)(names)
    const [one, other] = [orAbsent(yes, names), orAbsent(no, names)]
    return one !== undefined && other !== undefined && isEqual(one.value, other.value) ? one.value : undefined
  }

const readConditional = (cursor: Cursor): Expression => {
  let made = unknown
  nested(cursor, () => {
    made = readBinary(cursor, 0)
    if (!takes(cursor, '?')) return
    const yes = readConditional(cursor)
    if (!takes(cursor, ':')) fail(cursor, "':' is missing")
    made = conditional(made, yes, readConditional(cursor))
  })
  return (names) => oneDeeper(() => made(names))
}

const whole = (cursor: Cursor): Expression => {
  const made = readConditional(cursor)
  skipTrivia(cursor, true)
  return cursor.at >= cursor.text.length ? made : fail(cursor, 'more follows the expression')
}

/** Reads an expression. One that cannot be read has no known value: the tool itself says what is wrong with it. */
export const readExpression = (text: string): Expression => {
  try {
    return whole(cursorOf(`${text}\n`))
  } catch (error) {
    if (error instanceof HclError) return unknown
    throw error
  }
}

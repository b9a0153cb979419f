import { composed } from './composed.ts'
import { type Cursor, cursorOf, fail, nested, readIdentifier } from './cursor.ts'
import { oneDeeper } from './deeper.ts'
import { HclError } from './hcl-error.ts'
import { heredocBody, skipHeredoc } from './heredoc.ts'
import { type Loop, readLoop } from './loop.ts'
import { isEqual, itemsOf, memberOf, negated, operate, operatorLevels, orAbsent, truth } from './operators.ts'
import { readLines, readQuoted, type Template } from './quoted.ts'
import { skipInterpolation } from './skip.ts'
import { splitHeredoc } from './template.ts'
import { skipTrivia, takes } from './trivia.ts'
import { asText, bounded, MOST_SIZE, type Partly } from './value.ts'

/*
 * Expressions with functions, operators and conditions, for languages that are made of them (Terragrunt). An expression is read
 * once, into a function that takes the names it is evaluated with. Loops, splats and texts with directives have no known value, and are
 * evaluated for the files that they read.
 */

/** What an expression is evaluated with. A call evaluates its own arguments, so that `try` can go on after one that fails. */
export type Names = {
  name: (root: string, member: string | undefined) => Partly
  call: (name: string, args: readonly (() => Partly)[]) => Partly
  /** How often the loops around go around; 1 outside of loops. */
  turns?: number
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

/** Evaluates for the files that are read alone: a later one may read one, whatever becomes of an earlier one. */
const evaluateAll = (expressions: readonly Expression[], names: Names): undefined => {
  for (const one of expressions) orAbsent(() => one(names))
}

const joined = ({ pieces, isPlain }: Template<Expression>): Expression => {
  const [first, ...rest] = pieces
  const inner = pieces.flatMap((piece) => ('text' in piece ? [] : piece.read))
  if (!isPlain) return (names) => evaluateAll(inner, names)
  if (first !== undefined && rest.length === 0) return 'text' in first ? () => composed(first.text) : first.read
  return (names) => {
    // every part is evaluated: a later one may read a file
    const texts = pieces.map((piece) => ('text' in piece ? piece.text : asText(piece.read(names))))
    const chars = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
    return texts.includes(undefined) || chars > MOST_SIZE ? undefined : composed(texts.join(''))
  }
}

const readHeredoc = (cursor: Cursor): Expression => {
  const { at, depth } = cursor
  if (!skipHeredoc(cursor, skipInterpolation)) return fail(cursor, 'not an expression')
  const source = cursor.text.slice(at, cursor.at)
  const inside = (text: string): Cursor => ({ ...cursorOf(text), depth: depth + 1 })
  const parts = splitHeredoc(source)
  if (parts === undefined)
    return joined({ ...readLines(inside(heredocBody(source).body), readConditional), isPlain: false })
  const pieces = parts.map((part) => ('text' in part ? part : { read: whole(inside(part.expression)) }))
  return joined({ pieces, isPlain: true })
}

type Argument = { expression: Expression; isSpread: boolean }

/** Turns of loops in each other that are taken one by one: a file lists few others by hand, and each turn takes as long as the first. */
const MOST_TURNS = 100

/** Evaluates a loop for what it reads: with each of a few known items, or else once with its own names unknown. */
const turn = ({ own, collection, body }: Loop<Expression>, names: Names): undefined => {
  const { turns = 1 } = names
  const known = itemsOf(orAbsent(() => collection(names))?.value)
  const items = known !== undefined && turns * known.length <= MOST_TURNS ? known : [[undefined, undefined]]
  for (const item of items) {
    const given = item.slice(-own.length)
    const name: Names['name'] = (root, member) => {
      const at = own.indexOf(root)
      if (at < 0) return names.name(root, member)
      return member === undefined ? given[at] : memberOf(given[at], member)
    }
    evaluateAll(body, { ...names, name, turns: turns * items.length })
  }
}

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
  const isSpread = last?.isSpread === true
  const plain = (isSpread ? args.slice(0, -1) : args).map(({ expression }) => expression)
  const given = (names: Names) => plain.map((expression) => () => expression(names))
  if (!isSpread) return (names) => names.call(name, given(names))
  return (names) => {
    const list = last.expression(names)
    if (!Array.isArray(list)) return evaluateAll(plain, names)
    return names.call(name, [...given(names), ...list.map((item: Partly) => () => item)])
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
    const loop = readLoop(cursor, readConditional, mark === '{' ? '}' : ']')
    return loop === undefined ? unknown : (names) => turn(loop, names)
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

/** Without a known condition both sides are evaluated: they may read files, and be equal. */
const conditional =
  (condition: Expression, yes: Expression, no: Expression): Expression =>
  (names) => {
    const known = truth(condition(names))
    if (known !== undefined) return (known ? yes : no)(names)
    const [one, other] = [yes, no].map((side) => orAbsent(() => side(names)))
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

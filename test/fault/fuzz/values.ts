import type { Dice } from './dice.ts'
import { type ApiDocument, resolved, type Schema } from './document.ts'
import { hostileNumber, hostileText, hostileValue } from './texts.ts'

/** How much a value keeps to its schema: wholly as far as can be made, but for a place or two, or hardly. */
export type Mood = 'valid' | 'near' | 'hostile'

/** Values that mean something to the service, by the name of a field or parameter. */
export type Known = Readonly<Record<string, readonly unknown[]>>

export type Making = { document: ApiDocument; dice: Dice; known: Known; mood: Mood }

/** In which of a hundred places something else stands. */
const astray: Record<Mood, number> = { valid: 0, near: 6, hostile: 35 }

/** A value for a schema; `name` is that of the field or parameter that it is for. */
export const valueFor = (making: Making, schema: Schema, name = '', depth = 0): unknown => {
  const { document, dice, known, mood } = making
  if (dice.percent(astray[mood])) return hostileValue(dice)
  const means = known[name]
  if (means && dice.percent(mood === 'valid' ? 95 : 70)) return dice.one(means)
  const { anyOf, oneOf, allOf, ...plain } = resolved(document, schema)
  const choices = anyOf ?? oneOf
  if (choices && choices.length > 0) return valueFor(making, dice.one(choices), name, depth)
  if (allOf) return Object.assign({}, ...allOf.map((one) => valueFor(making, one, name, depth)))
  if (plain.const !== undefined) return plain.const
  if (plain.enum && plain.enum.length > 0) return dice.one(plain.enum)
  return ofType(making, plain, depth)
}

const ofType = (making: Making, schema: Schema, depth: number): unknown => {
  const { dice } = making
  const type = Array.isArray(schema.type) ? dice.one(schema.type) : schema.type
  if (type === 'object' || schema.properties) return objectFor(making, schema, depth)
  if (type === 'array') {
    const count = (schema.minItems ?? 0) + (depth > 4 ? 0 : dice.below(4))
    return Array.from({ length: count }, () => valueFor(making, schema.items ?? {}, '', depth + 1))
  }
  if (type === 'integer' || type === 'number') return numberFor(making, schema)
  if (type === 'boolean') return dice.percent(50)
  if (type === 'null') return null
  return type === 'string' ? textFor(making, schema) : hostileValue(dice)
}

const objectFor = (making: Making, { properties = {}, required = [], additionalProperties }: Schema, depth: number) => {
  const { dice, mood } = making
  const fields = Object.entries(properties).flatMap(([name, field]): [string, unknown][] => {
    const isWanted = required.includes(name) ? mood === 'valid' || dice.percent(95) : depth < 6 && dice.percent(50)
    return isWanted ? [[name, valueFor(making, field, name, depth + 1)]] : []
  })
  if (typeof additionalProperties === 'object' && dice.percent(50))
    fields.push([textFor(making, {}), valueFor(making, additionalProperties, '', depth + 1)])
  if (mood !== 'valid' && dice.percent(20)) fields.push([hostileText(dice), hostileValue(dice)])
  return Object.fromEntries(fields)
}

const numberFor = ({ dice, mood }: Making, { minimum = 0, maximum = 1000 }: Schema): number => {
  if (mood !== 'valid' && dice.percent(20)) return hostileNumber(dice)
  const [from, to] = [Math.max(minimum, -1000), Math.min(maximum, 1000)]
  return from + dice.below(Math.max(1, to - from + 1))
}

const formats: Readonly<Record<string, string>> = {
  uuid: '3f1f7c6e-0a4b-4a52-9f0e-0d8e8a1b2c3d',
  'date-time': '2026-03-01T12:00:00Z',
  uri: 'https://example.com/x',
}

const textFor = ({ dice, mood }: Making, { minLength = 0, maxLength = 40, format }: Schema): string => {
  if (mood === 'hostile' || (mood === 'near' && dice.percent(15))) return hostileText(dice)
  const given = formats[format ?? '']
  if (given !== undefined) return given
  const length = Math.max(minLength, Math.min(maxLength, 1 + dice.below(12)))
  return Array.from({ length }, () => dice.one([...'abcxyz019-_'])).join('')
}

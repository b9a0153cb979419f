import { type ApiDocument, resolved, type Schema } from '../fuzz/document.ts'

/** A body that is as large as its route takes it, and what fills it. */
export type FullBody = { filledBy: string; body: Buffer }

type Filling = { document: ApiDocument; bytes: number }

/** JSON texts of about so many bytes, by what they are. */
type Texts = [filledBy: string, text: string][]

/**
 * Bodies at a route's limit: each field of its schema in turn is as large as it may be, with what costs most for its size, beside
 * the given values of the others; and fields that the service does not know, which it reads all the same.
 */
export const fullBodies = (filling: Filling, schema: Schema, given: Readonly<Record<string, unknown>>): FullBody[] => {
  const plain = chosen(filling.document, schema)
  const fields = Object.entries(plain.properties ?? {}).flatMap(([name, field]) =>
    fillings(filling, field).map(([filledBy, text]): [string, string, string] => [name, `${name} ${filledBy}`, text]),
  )
  const unknown = strange(filling.bytes).map(([what, text]): [string, string, string] => ['strange', what, text])
  return [...fields, ...unknown].map(([name, filledBy, text]) => {
    const others = Object.entries(given).filter(([other]) => other !== name)
    const texts = [...others.map(([other, value]) => `"${other}":${JSON.stringify(value)}`), `"${name}":${text}`]
    return { filledBy, body: Buffer.from(`{${texts.join(',')}}`) }
  })
}

/** Without null and without references. */
const chosen = (document: ApiDocument, schema: Schema): Schema => {
  const plain = resolved(document, schema)
  const one = (plain.anyOf ?? plain.oneOf)?.find(({ type }) => type !== 'null')
  return one ? chosen(document, one) : plain
}

const fillings = (filling: Filling, given: Schema): Texts => {
  const schema = chosen(filling.document, given)
  const { bytes } = filling
  if (schema.type === 'string' && !schema.enum) return longTexts(Math.min(bytes, schema.maxLength ?? bytes))
  if (schema.type === 'array') {
    const item = schema.items ?? {}
    const one = (index: number): string => JSON.stringify(smallest(filling.document, item, `s${index}`))
    const asMany = Math.floor(bytes / (one(1_000_000).length + 1))
    return [...new Set([asMany, Math.min(asMany, schema.maxItems ?? asMany)])].map((count) => [
      `of ${count}`,
      `[${Array.from({ length: count }, (_, index) => one(index)).join(',')}]`,
    ])
  }
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, field]) =>
      fillings(filling, field).map(([filledBy, text]): Texts[number] => [
        `${name} ${filledBy}`,
        objectWith(filling.document, schema, name, text),
      ]),
    )
  }
  return schema.type === 'object' ? strange(bytes) : []
}

const objectWith = (document: ApiDocument, schema: Schema, name: string, text: string): string => {
  const others = Object.entries(smallest(document, schema, 's') as object).filter(([other]) => other !== name)
  return `{${[...others.map(([other, value]) => `"${other}":${JSON.stringify(value)}`), `"${name}":${text}`].join(',')}}`
}

/** Units that take long to read, to count or to escape. */
const units = ['a', '\\n', '💥', '\\ud800', '`', '|']

const longTexts = (bytes: number): Texts =>
  units.map((unit) => [`of ${unit}`, `"${unit.repeat(Math.floor((bytes - 100) / Buffer.byteLength(unit)))}"`])

/** What no schema asks for. */
const strange = (bytes: number): Texts => {
  const times = (unit: string): string => Array(Math.floor((bytes - 200) / (unit.length + 1))).join(`${unit},`)
  const keys = Array.from({ length: Math.floor(bytes / 12) }, (_, index) => `"k${index}":0`)
  return [
    ['lists', `[${times('[]')}[]]`],
    ['objects', `[${times('{"a":0}')}0]`],
    [
      'names',
      `{${keys
        .join(',')
        .slice(0, bytes - 200)
        .replace(/,[^,]*$/, '')}}`,
    ],
    ['zeros and half a letter', `["\\ud800",${times('0')}0]`],
    ['lists in lists', `${'['.repeat(bytes / 2 - 200)}${']'.repeat(bytes / 2 - 200)}`],
  ]
}

/** The smallest value of a schema; texts that may be free are the given one. */
const smallest = (document: ApiDocument, given: Schema, text: string): unknown => {
  const schema = chosen(document, given)
  if (schema.enum) return schema.enum[0]
  if (schema.const !== undefined) return schema.const
  const { required = [], properties = {} } = schema
  if (schema.type === 'object')
    return Object.fromEntries(required.map((name) => [name, smallest(document, properties[name] ?? {}, text)]))
  if (schema.type === 'array') return []
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(0, schema.minimum ?? 0)
  if (schema.type === 'boolean') return false
  return text
}

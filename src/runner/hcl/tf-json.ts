import type { Attribute, Block, Body } from './body.ts'
import { cursorOf } from './cursor.ts'
import { HclError, positionOf } from './hcl-error.ts'
import { jsonFault } from './json-fault.ts'
import { skipInterpolation } from './skip.ts'
import { templateAt } from './template-mark.ts'

/*
 * The JSON syntax (`.tf.json`). Objects are blocks as well as values, and only the schema says which. The table below is that
 * schema for what a scanner reads; anything it does not name is a value. Values are written back as expressions of the native
 * syntax, so one evaluator is enough.
 */

type Shape = { labels: number; blocks?: Readonly<Record<string, Shape>> }

const FILE: Readonly<Record<string, Shape>> = {
  terraform: {
    labels: 0,
    blocks: {
      backend: { labels: 1, blocks: { workspaces: { labels: 0 } } },
      cloud: { labels: 0, blocks: { workspaces: { labels: 0 } } },
      required_providers: { labels: 0 },
    },
  },
  module: { labels: 1 },
  provider: { labels: 1 },
  resource: { labels: 2 },
  data: { labels: 2 },
  ephemeral: { labels: 2 },
  variable: { labels: 1 },
  output: { labels: 1 },
  check: { labels: 1 },
  locals: { labels: 0 },
  moved: { labels: 0 },
  import: { labels: 0 },
  removed: { labels: 0 },
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

const isObject = (json: Json | undefined): json is { [name: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

/** JSON's escapes are HCL's too, except for backspace and form feed. */
const encode = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/\\(.)/g, (pair, letter: string) => (letter === 'b' ? '\\u0008' : letter === 'f' ? '\\u000c' : pair))

/** A JSON string as a quoted one. Templates in it keep their own quotes. */
const quote = (text: string): string => {
  const cursor = cursorOf(text)
  let out = ''
  let from = 0
  while (cursor.at < text.length) {
    const { at } = cursor
    const char = text[at]
    const mark = char === '$' || char === '%' ? templateAt(text, at) : 'no'
    cursor.at += mark === 'no' ? 1 : mark === 'escaped' ? 3 : 2
    if (mark !== 'opens') continue
    skipInterpolation(cursor)
    out += encode(text.slice(from, at)) + text.slice(at, cursor.at)
    from = cursor.at
  }
  return `"${out}${encode(text.slice(from))}"`
}

const expressionOf = (json: Json): string => {
  if (typeof json === 'string') return quote(json)
  if (Array.isArray(json)) return `[${json.map(expressionOf).join(', ')}]`
  if (!isObject(json)) return String(json)
  return `{ ${Object.entries(json)
    .map(([name, value]) => `${quote(name)} = ${expressionOf(value)}`)
    .join(', ')} }`
}

/** One object for one block, or a list of objects for several blocks with the same labels. */
const each = (json: Json): { [name: string]: Json }[] => (Array.isArray(json) ? json : [json]).filter(isObject)

const readBlocks = (type: string, shape: Shape, json: Json, labels: string[]): Block[] =>
  each(json).flatMap((object) =>
    labels.length === shape.labels
      ? [{ type, labels, body: readObject(object, shape.blocks ?? {}), at: 0 }]
      : Object.entries(object).flatMap(([label, inside]) => readBlocks(type, shape, inside, [...labels, label])),
  )

const readObject = (object: { [name: string]: Json }, shapes: Readonly<Record<string, Shape>>): Body => {
  const attributes = new Map<string, Attribute>()
  const blocks: Block[] = []
  for (const [name, json] of Object.entries(object)) {
    const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined
    if (shape !== undefined) for (const block of readBlocks(name, shape, json, [])) blocks.push(block)
    else if (name !== '//') attributes.set(name, { name, expression: expressionOf(json), at: 0 })
  }
  return { attributes, blocks }
}

const parseJson = (text: string): Json => {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  try {
    return JSON.parse(json)
  } catch {
    const at = jsonFault(json)
    const found = json[at]
    throw new HclError(
      found === undefined ? 'this JSON ends too early' : `'${found}' is not allowed here in JSON`,
      positionOf(json, at),
    )
  }
}

/**
 * Reads a file in the JSON syntax into the same blocks and attributes as `parseHcl`. Offsets are 0, as JSON.parse gives none.
 *
 * @param shape `file` for a `.tf.json`, `values` for a `.tfvars.json`, in which every member is a value.
 *
 * @throws HclError with line and column.
 */
export const parseTfJson = (text: string, shape: 'file' | 'values' = 'file'): Body => {
  const json = parseJson(text)
  const objects = shape === 'file' ? each(json) : isObject(json) ? [json] : []
  if (objects.length === 0 && !(Array.isArray(json) && shape === 'file'))
    throw new HclError('expected an object here', { line: 1, column: 1 })
  const bodies = objects.map((object) => readObject(object, shape === 'file' ? FILE : {}))
  return {
    attributes: new Map(bodies.flatMap((body) => [...body.attributes])),
    blocks: bodies.flatMap((body) => body.blocks),
  }
}

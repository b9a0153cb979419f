import type { Dice } from './dice.ts'
import type { NamedOperation, Parameter } from './document.ts'
import { brokenBody, hostileText } from './texts.ts'
import { type Making, valueFor } from './values.ts'

/** A request that can be sent, without credentials. */
export type MadeRequest = { method: string; path: string; headers: Record<string, string>; body: Buffer | undefined }

/**
 * Makes a request for an operation: its path, its query, and its body as the document describes them, with the given fields in
 * place of those of their names.
 */
export const requestFor = (
  making: Making,
  { method, path, operation }: NamedOperation,
  means?: Record<string, unknown>,
): MadeRequest => {
  const parameters = operation.parameters ?? []
  const text = (parameter: Parameter): string => {
    const value = valueFor(making, parameter.schema, parameter.name)
    return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 3000)
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
    return encoded(text(parameter ?? { name, in: 'path', schema: { type: 'string' } })) || 'x'
  })
  const query = parameters
    .filter((one) => one.in === 'query' && (one.required || making.dice.percent(40)))
    .map((one) => `${one.name}=${encoded(text(one))}`)
  return {
    method,
    path: query.length > 0 ? `${filled}?${query.join('&')}` : filled,
    ...bodyFor(making, operation.requestBody?.content['application/json']?.schema, method, means),
  }
}

/** encodeURIComponent throws for half of a surrogate pair, which no path can hold. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

const bodyFor = (
  making: Making,
  schema: Parameters<typeof valueFor>[1] | undefined,
  method: string,
  means?: Record<string, unknown>,
): Pick<MadeRequest, 'headers' | 'body'> => {
  const { dice, mood } = making
  if (method === 'GET') return { headers: headersBesides(dice, mood), body: undefined }
  const made = schema ? valueFor(making, schema) : { action: 'opened' }
  const isObject = typeof made === 'object' && made !== null && !Array.isArray(made)
  const text = JSON.stringify(isObject ? { ...made, ...means } : made) ?? 'null'
  const isBroken = mood !== 'valid' && dice.percent(10)
  const type = mood === 'hostile' && dice.percent(10) ? hostileType(dice) : 'application/json'
  return {
    headers: { ...headersBesides(dice, mood), 'content-type': type },
    body: isBroken ? brokenBody(dice, text) : Buffer.from(text),
  }
}

const hostileType = (dice: Dice): string =>
  dice.one([
    'text/plain',
    'application/json; charset=utf-16',
    'application/json;',
    ';',
    'multipart/form-data',
    'x/'.repeat(100),
  ])

/** Headers that a client may add to any request. */
const headersBesides = (dice: Dice, mood: string): Record<string, string> => {
  if (mood === 'valid' || dice.percent(60)) return {}
  const text = hostileText(dice)
    .replaceAll(/[^\x20-\x7e]/g, '')
    .slice(0, 500)
  const name = dice.one([
    'accept-encoding',
    'if-none-match',
    'x-request-id',
    'x-forwarded-for',
    'accept',
    'range',
    'origin',
  ])
  return { [name]: text }
}

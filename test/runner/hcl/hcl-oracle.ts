import { parse } from '@cdktf/hcl2json'
import type { Body } from '#runner/hcl/body.ts'
import { literal } from '#runner/hcl/evaluate.ts'
import type { Value } from '#runner/hcl/value.ts'

/*
 * The published parser, HashiCorp's own code compiled to WebAssembly, says what a text means. Ours has to find the same blocks,
 * labels, names of arguments and literals. Where ours knows no value, theirs must have an expression left.
 */

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

export const oracle = async (text: string): Promise<{ [name: string]: Json }> =>
  (await parse('oracle.tf', text)) as { [name: string]: Json }

/** Theirs prints strings as templates: `${` in a literal is `$${`, and whatever is not evaluated is in `${…}`. */
const asTemplate = (value: Value): Json => {
  if (typeof value === 'string') return value.replaceAll(/([$%])\{/g, (mark) => mark[0] + mark)
  if (Array.isArray(value)) return value.map(asTemplate)
  if (typeof value !== 'object' || value === null) return value as Json
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [asTemplate(name) as string, asTemplate(one)]))
}

/** Ours knows no number of more than 15 digits: a double does not hold it, theirs has it rounded. */
const isUnknown = (json: Json): boolean => /\$\{|%\{|\d{16}|\de\+/.test(JSON.stringify(json))

const NEGATIVE = /(?<!\$)\$\{(-\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\}/g
const ONLY_NEGATIVE = new RegExp(`^${NEGATIVE.source}$`)

/** Theirs leaves the sign of a negative number in a template as an expression. */
const negatives = (json: Json): Json => {
  if (typeof json === 'string') {
    const [, only] = ONLY_NEGATIVE.exec(json) ?? []
    return only === undefined ? json.replaceAll(NEGATIVE, (_, number: string) => String(Number(number))) : Number(only)
  }
  if (Array.isArray(json)) return json.map(negatives)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([name, one]) => [String(negatives(name)), negatives(one)]))
}

const under = (json: Json, labels: readonly string[]): Json | undefined => {
  let at: Json | undefined = json
  for (const label of labels) at = (at as { [name: string]: Json } | undefined)?.[label]
  return at
}

/** Where ours differs from theirs, in words; empty if they agree. */
export const differences = (ours: Body, theirs: { [name: string]: Json }, path = ''): string[] => {
  const found: string[] = []
  const names = [...new Set([...ours.attributes.keys(), ...ours.blocks.map((block) => block.type)])]
  if (JSON.stringify(names.toSorted()) !== JSON.stringify(Object.keys(theirs).toSorted()))
    found.push(`${path}: names ${names.toSorted()} and ${Object.keys(theirs).toSorted()}`)
  for (const { name, expression } of ours.attributes.values()) {
    const value = literal(expression)
    const other = theirs[name] as Json
    if (
      value === undefined
        ? !isUnknown(other)
        : JSON.stringify(sorted(asTemplate(value))) !== JSON.stringify(sorted(negatives(composed(other))))
    )
      found.push(`${path}${name}: ${JSON.stringify(value)} and ${JSON.stringify(other)}`)
  }
  const seen = new Map<string, number>()
  for (const { type, labels, body } of ours.blocks) {
    const key = JSON.stringify([type, ...labels])
    const index = seen.get(key) ?? 0
    seen.set(key, index + 1)
    const all = under(theirs[type] as Json, labels) as { [name: string]: Json }[] | undefined
    const other = all?.[index]
    if (other === undefined) found.push(`${path}: no block ${key} ${index}`)
    else found.push(...differences(body, other, `${path}${key}.`))
  }
  return found
}

/** Theirs prints names of members, and what it joins, as the file writes them; the language has them in Unicode's composed form. */
const composed = (json: Json): Json => JSON.parse(JSON.stringify(json).normalize())

const sorted = (json: Json): Json => {
  if (Array.isArray(json)) return json.map(sorted)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(
    Object.entries(json)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  )
}

/** A schema of the API document: JSON Schema as in OpenAPI 3.1. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  format?: string
  pattern?: string
  default?: unknown
  description?: string
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** A link to a schema's description on the same page. */
const link = (ref: string): string => `[${nameOf(ref)}](#${nameOf(ref).toLowerCase()})`

/** What a value must be, in a few words. */
export const schemaText = (schema: Schema): string => {
  if (schema.$ref !== undefined) return link(schema.$ref)
  if (schema.const !== undefined) return `\`${String(schema.const)}\``
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(schemaText))].join(' or ')
  if (schema.allOf?.[0]) return schemaText(schema.allOf[0])
  if (schema.type === 'array') return `array of ${schema.items ? schemaText(schema.items) : 'anything'}`
  if (schema.properties) return `object: ${Object.keys(schema.properties).join(', ')}`
  if (schema.type === 'object') return 'object'
  if (schema.format === 'date-time') return 'time'
  if (schema.format === 'uuid' || schema.format === 'guid') return 'uuid'
  return [schema.type ?? 'anything'].flat().join(' or ')
}

/** A row of a Markdown table. */
const tableRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`

/** A Markdown table; nothing if there are no rows. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0 ? [] : [tableRow(head), `|${'---|'.repeat(head.length)}`, ...rows.map(tableRow), '']

/** The fields of an object, one a row; for a list of objects without a name, the fields of its items. */
export const fieldRows = ({ properties = {}, required = [] }: Schema): string[][] =>
  Object.entries(properties).map(([name, field]) => [
    `\`${name}\`${required.includes(name) ? '' : ' (optional)'}`,
    schemaText(field),
    field.description ?? '',
  ])

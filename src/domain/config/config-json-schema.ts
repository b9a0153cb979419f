import { z } from 'zod'
import { ConfigFile } from './config-schema.ts'

/** The part of JSON Schema that the schema of svc.yml uses. */
export type JsonSchema = {
  [keyword: string]: unknown
  title?: string
  description?: string
  default?: unknown
  examples?: unknown[]
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  propertyNames?: JsonSchema
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  anyOf?: JsonSchema[]
}

const orNull = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  ...(typeof schema.type === 'string' && { type: [schema.type, 'null'] }),
  ...(schema.enum !== undefined && { enum: [...schema.enum, null] }),
})

/** In a file, a key with nothing after it means its default, so an editor must not mark it. */
const withEmptyKeys = (schema: JsonSchema): JsonSchema => {
  const { properties, required = [], items, additionalProperties: rest, anyOf } = schema
  const keys = Object.entries(properties ?? {}).map(([key, value]) => {
    const inner = withEmptyKeys(value)
    return [key, required.includes(key) ? inner : orNull(inner)]
  })
  return {
    ...schema,
    ...(properties !== undefined && { properties: Object.fromEntries(keys) }),
    ...(items !== undefined && { items: withEmptyKeys(items) }),
    ...(typeof rest === 'object' && { additionalProperties: withEmptyKeys(rest) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(withEmptyKeys) }),
  }
}

/**
 * The file's schema as zod exports it: config-problems.ts and the documents look keys up in it. zod's own type also allows
 * booleans as schemas, but none occur here.
 */
export const plainJsonSchema = (): JsonSchema =>
  z.toJSONSchema(ConfigFile, {
    io: 'input',
    target: 'draft-7',
    // zod drops the examples of a schema that transforms its input; ours describe the input
    override: ({ zodSchema, jsonSchema }) => {
      const examples = z.globalRegistry.get(zodSchema)?.examples
      if (Array.isArray(examples)) jsonSchema.examples = examples
    },
  }) as JsonSchema

/**
 * The schema of svc.yml as JSON Schema for editors, in draft 7, which all of them know. `address` is where it is served. It
 * refuses no file that the parser accepts. It leaves out rules that it cannot express: a glob's brackets, a cron line's
 * numbers, that checks have different names.
 */
export const configJsonSchema = (address?: string): JsonSchema => {
  const { $schema, ...schema } = withEmptyKeys(plainJsonSchema())
  return {
    $schema,
    ...(address !== undefined && { $id: address }),
    title: 'svc.yml',
    description: 'How svc takes the stacks of this repository through pull requests.',
    ...schema,
  }
}

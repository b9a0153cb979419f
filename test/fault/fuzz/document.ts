/** The parts of a JSON Schema, as the API's document has them. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  format?: string
  pattern?: string
}

export type Parameter = { name: string; in: string; required?: boolean; schema: Schema }

type Content = Record<string, { schema?: Schema }>

export type Operation = {
  parameters?: Parameter[]
  requestBody?: { content: Content; required?: boolean }
  responses: Record<string, { content?: Content }>
  security?: Record<string, unknown>[]
}

export type ApiDocument = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export type NamedOperation = { method: string; path: string; operation: Operation }

export const operationsOf = ({ paths }: ApiDocument): NamedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

/** The schema behind a reference. */
export const resolved = (document: ApiDocument, schema: Schema): Schema => {
  if (schema.$ref === undefined) return schema
  const found = document.components.schemas[schema.$ref.split('/').at(-1) ?? '']
  if (!found) throw new Error(`${schema.$ref} leads nowhere`)
  return resolved(document, found)
}

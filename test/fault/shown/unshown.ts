import { fieldsOf } from './fields.ts'
import type { Told } from './story.ts'

/** Fields that are not found where they should be shown. */
export const unshown = ({ given, places }: Told): string[] =>
  Object.entries(fieldsOf(given)).flatMap(([schema, fields]) =>
    Object.entries(fields).flatMap(([field, shown]) =>
      typeof shown === 'string'
        ? []
        : shown.in
            .filter((place) => !places[place].includes(shown.value))
            .map((place) => `${schema}.${field} (${shown.value}) is not in ${place}: ${places[place].slice(0, 400)}`),
    ),
  )

type Schema = { $ref?: string; properties?: Record<string, Schema>; allOf?: Schema[]; anyOf?: Schema[] }

type Document = {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>
  components: { schemas: Record<string, Schema> }
}

const nameOf = ({ $ref = '' }: Schema): string => $ref.slice($ref.lastIndexOf('/') + 1)

/** The fields of all requests by the API's own document, `StackResult.mode`: those of the schemas that it names. */
export const requestFields = ({ paths, components }: Document): string[] => {
  const names = new Set<string>()
  const visit = (schema: Schema): void => {
    for (const inner of [...(schema.allOf ?? []), ...(schema.anyOf ?? [])]) visit(inner)
    const name = nameOf(schema)
    if (name === '' || names.has(name)) return
    names.add(name)
    for (const inner of Object.values(components.schemas[name]?.properties ?? {})) visit(inner)
  }
  for (const methods of Object.values(paths))
    for (const { requestBody } of Object.values(methods))
      for (const { schema } of Object.values(requestBody?.content ?? {})) visit(schema)
  return [...names].flatMap((name) =>
    Object.keys(components.schemas[name]?.properties ?? {}).map((field) => `${name.replace(/Input$/, '')}.${field}`),
  )
}

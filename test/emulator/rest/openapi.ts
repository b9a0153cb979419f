import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'

type Schema = { [key: string]: unknown }
type Operation = { responses: Record<string, Schema> }

const document = JSON.parse(readFileSync(new URL('../../fixtures/github-openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, Schema>>
}

/**
 * The one place where the document cannot be satisfied: in the listing of installations it requires an account to be a user
 * and an enterprise at once (allOf), which no answer can be; its own `installation` says one or the other (anyOf).
 */
const correctDocument = (): void => {
  const listed = document.paths['/app/installations']?.get?.responses['200'] as
    | { content: { 'application/json': { schema: { items: { properties: { account: Schema } } } } } }
    | undefined
  const account = listed?.content['application/json'].schema.items.properties.account
  if (!account?.allOf || account.anyOf) throw new Error('the document was corrected: leave it as it is')
  account.anyOf = account.allOf
  delete account.allOf
}
correctDocument()

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** OpenAPI 3.0's `nullable` in terms of JSON Schema: ajv knows it only beside `type`, GitHub sets it beside anyOf too. */
const asJsonSchema = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(asJsonSchema)
  if (!isSchema(value)) return value
  const { nullable, ...rest } = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asJsonSchema(one)]))
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest
}

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: {
    uri: (text) => URL.canParse(text),
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
    email: /^\S+@\S+$/,
    int64: { type: 'number', validate: Number.isSafeInteger },
    int32: { type: 'number', validate: Number.isInteger },
  },
})
ajv.addSchema({ $id: 'github', ...(asJsonSchema(document) as Schema) })

const resolve = (schema: unknown): Schema => {
  const found = isSchema(schema) ? schema : {}
  const [, , kind = '', name = ''] = typeof found.$ref === 'string' ? found.$ref.split('/') : []
  return kind === '' ? found : resolve(document.components[kind]?.[name])
}

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')

const compiled = new Map<string, ValidateFunction>()

const validator = (pointer: string): ValidateFunction => {
  const known = compiled.get(pointer) ?? ajv.compile({ $ref: `github#${encodeURI(pointer)}` })
  compiled.set(pointer, known)
  return known
}

/** Keys of an answer that no branch of its schema knows: GitHub's schemas allow additional properties. */
const unknownKeys = (given: unknown, value: unknown, at: string): string[] => {
  const branches = flatten(resolve(given))
  if (Array.isArray(value)) return value.flatMap((one, i) => unknownKeys({ anyOf: items(branches) }, one, `${at}/${i}`))
  if (!isSchema(value) || branches.some((branch) => branch.additionalProperties)) return []
  const properties = branches.flatMap((branch) => (isSchema(branch.properties) ? [branch.properties] : []))
  if (properties.length === 0) return []
  return Object.entries(value).flatMap(([key, one]) => {
    const schemas = properties.filter((known) => key in known).map((known) => known[key])
    return schemas.length === 0 ? [`${at}/${key}`] : unknownKeys({ anyOf: schemas }, one, `${at}/${key}`)
  })
}

const items = (branches: Schema[]): unknown[] => branches.flatMap((branch) => (branch.items ? [branch.items] : []))

const flatten = (schema: Schema): Schema[] => {
  const inner = [schema.anyOf, schema.oneOf, schema.allOf].filter(Array.isArray).flat()
  return [schema, ...inner.flatMap((one) => flatten(resolve(one)))]
}

/**
 * What is wrong with an operation's answer, by GitHub's published OpenAPI document: an undocumented status, a violated
 * schema, keys that GitHub does not send.
 */
export const complaints = (method: string, path: string, status: number, body: unknown): string[] => {
  const responses = document.paths[path]?.[method.toLowerCase()]?.responses
  if (!responses) return [`${method} ${path} is not in the extract`]
  const response = responses[status]
  if (!response) return [`${method} ${path}: status ${status} is not documented`]
  const content = resolve(response).content
  const schema =
    isSchema(content) && isSchema(content['application/json']) ? content['application/json'].schema : undefined
  // For some refusals the document gives only the status; GitHub sends its usual message with them.
  if (schema === undefined)
    return body === undefined || status >= 400 ? [] : [`${method} ${path}: ${status} has a body`]
  const inline = `/paths/${escaped(path)}/${method.toLowerCase()}/responses/${status}`
  const pointer = typeof response.$ref === 'string' ? response.$ref.slice(1) : inline
  const validate = validator(`${pointer}/content/application~1json/schema`)
  const faults = validate(body) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
  return [...faults, ...unknownKeys(schema, body, '').map((key) => `${key} is not GitHub's`)]
}

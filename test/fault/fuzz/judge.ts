import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type ErrorCode, statusOf } from '#errors.ts'
import type { ApiDocument, NamedOperation } from './document.ts'

export type Heard = { status: number; headers: Record<string, string | undefined>; text: string; ms: number }

/** What is wrong with an answer, if anything is. */
export type Judge = (asked: NamedOperation, heard: Heard) => string | undefined

/** A request takes far less; what takes longer holds others up, or hangs. */
const slowMs = 10_000

/** Answers that any request may get from what stands before the routes, as 'Errors' of docs/interface.md says. */
const beforeRoutes = new Set([400, 404])

/** Judges answers by the API's own document: the statuses that it names, the schema of each, and the shape of errors. */
export const createJudge = (document: ApiDocument): Judge => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'api', components: document.components })
  const validators = new Map<string, ValidateFunction>()
  const validatorOf = (name: string, schema: object): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"api#/components')
    const known = validators.get(name) ?? ajv.compile(JSON.parse(text))
    validators.set(name, known)
    return known
  }
  return ({ method, path, operation }, { status, headers, text, ms }) => {
    if (ms > slowMs) return `took ${Math.round(ms)} ms`
    if (headers['x-request-id'] === undefined) return 'has no X-Request-Id'
    const isPage = headers['content-type']?.startsWith('text/html') === true
    // sign-in is not configured here, and its page says so
    if (status >= 500 && !(isPage && status === 503 && path.startsWith('/auth/')))
      return `is ${status}: ${text.slice(0, 200)}`
    const described = operation.responses[status]
    if (!described && !beforeRoutes.has(status) && !isPage) return `is ${status}, which the document does not name`
    if (status === 304 || isPage || text === '') return undefined
    if (status >= 400) return errorProblem(status, headers, text)
    const schema = described?.content?.['application/json']?.schema
    if (!schema || !headers['content-type']?.startsWith('application/json')) return undefined
    const validate = validatorOf(`${method} ${path} ${status}`, schema)
    return validate(JSON.parse(text)) ? undefined : `is not as documented: ${ajv.errorsText(validate.errors)}`
  }
}

const errorProblem = (status: number, headers: Heard['headers'], text: string): string | undefined => {
  if (headers['content-type'] !== 'application/json; charset=utf-8') return `is an error as ${headers['content-type']}`
  const { code, message, details, ...rest } = JSON.parse(text)
  if (Object.keys(rest).length > 0) return `has ${Object.keys(rest)} in an error`
  if (typeof message !== 'string' || message === '') return 'has no message'
  if (details !== undefined && (typeof details !== 'object' || details === null))
    return 'has details that are no object'
  const expected = status === 413 ? 400 : status
  return statusOf[code as ErrorCode] === expected ? undefined : `has the code ${code} with ${status}`
}

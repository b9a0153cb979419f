import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { keyPath } from '#domain/config/config-problems.ts'
import { wording } from '#domain/config/wording.ts'
import { issuesOfList } from '#domain/list.ts'
import { invalid, type Problem } from '#errors.ts'

const problemOfIssues = (issues: readonly z.core.$ZodIssue[], part: string, data: unknown): Problem => {
  const [first] = issues
  const path = first?.path ?? []
  const reason = isRepeated(data, path, part) ? 'must be given once' : (first?.message ?? 'is not valid')
  const problem = invalid(keyPath(path) || part, reason)
  const more = issues.length - 1
  const many = issues.length < issuesOfList ? `${more}` : `at least ${more}`
  if (more > 0)
    problem.message += more === 1 ? ' (and one more field is wrong)' : ` (and ${many} more fields are wrong)`
  return problem
}

/** A parameter given twice arrives as a list; no client sends a list. */
const isRepeated = (data: unknown, [name]: readonly PropertyKey[], part: string): boolean =>
  part === 'querystring' && name !== undefined && Array.isArray((data as Record<PropertyKey, unknown>)[name])

/** Checks a part of a request with a zod schema; a failure becomes the Problem for the client, and names the field. */
export const compileValidator: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data: unknown) => {
    const result = schema.safeParse(data, { error: wording })
    return result.success
      ? { value: result.data }
      : { error: problemOfIssues(result.error.issues, httpPart ?? 'body', data) }
  }

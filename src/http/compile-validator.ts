import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { keyPath } from '#domain/config-problems.ts'
import { wording } from '#domain/wording.ts'
import { invalid, type Problem } from '#errors.ts'

const problemOfIssues = (issues: readonly z.core.$ZodIssue[], part: string): Problem => {
  const [first] = issues
  const problem = invalid(keyPath(first?.path ?? []) || part, first?.message ?? 'is not valid')
  const more = issues.length - 1
  if (more > 0)
    problem.message += more === 1 ? ' (and one more field is wrong)' : ` (and ${more} more fields are wrong)`
  return problem
}

/** Checks a part of a request with a zod schema; a failure is the Problem that the client gets, naming the field. */
export const compileValidator: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data: unknown) => {
    const result = schema.safeParse(data, { error: wording })
    return result.success ? { value: result.data } : { error: problemOfIssues(result.error.issues, httpPart ?? 'body') }
  }

import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { keyPath } from '#domain/config-problems.ts'
import { invalid, type Problem } from '#errors.ts'

type RawIssue = z.core.$ZodRawIssue

/** What would be right, said of the field whose name stands before it; messages of our own schemas win over these. */
const wording = (issue: RawIssue): string | undefined => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `is missing: must be ${named(issue.expected)}`
        : `must be ${named(issue.expected)}`
    case 'invalid_value':
      return issue.input === undefined ? `is missing: must be ${oneOf(issue.values)}` : `must be ${oneOf(issue.values)}`
    case 'too_small':
      return issue.origin === 'string'
        ? `must have at least ${issue.minimum} characters`
        : `must be ${issue.minimum} or more`
    case 'too_big':
      return issue.origin === 'string'
        ? `must have at most ${issue.maximum} characters`
        : `must be ${issue.maximum} or less`
    default:
      return undefined
  }
}

const names: Record<string, string> = {
  object: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
}

const named = (type: string): string => names[type] ?? type

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(', ')}`

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

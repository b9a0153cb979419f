import type { z } from 'zod'
import { type FieldError, GitHubError, validationFailed } from './errors.ts'

/**
 * Checks a request body against a schema. A missing field gets GitHub's sentence for it, anything else a 422 that names the
 * field.
 */
export const parseBody = <T>(resource: string, schema: z.ZodType<T>, body: Record<string, unknown> | undefined): T => {
  const parsed = schema.safeParse(body ?? {})
  if (parsed.success) return parsed.data
  const missing = parsed.error.issues.filter((issue) => valueAt(body, issue.path) === undefined)
  if (missing.length > 0) {
    const names = missing.map((issue) => `"${issue.path.join('.')}"`).join(', ')
    throw new GitHubError(422, `Invalid request.\n\n${names} ${missing.length > 1 ? "weren't" : "wasn't"} supplied.`)
  }
  throw validationFailed(
    ...parsed.error.issues.map(
      (issue): FieldError => ({
        resource,
        code: 'invalid',
        field: issue.path.join('.'),
        message: issue.message,
      }),
    ),
  )
}

const valueAt = (body: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], body ?? {})

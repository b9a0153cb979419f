import type { z } from 'zod'

type RawIssue = z.core.$ZodRawIssue

const names: Record<string, string> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
}

const named = (type: string): string => names[type] ?? type

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(', ')}`

const must = ({ input }: RawIssue, be: string): string =>
  input === undefined ? `is missing: must be ${be}` : `must be ${be}`

const counted: Record<string, string> = { string: 'characters', array: 'entries' }

/** A bound on a number, or on the length of a text or list. */
const bound = (origin: string, limit: number | bigint, few: 'at least' | 'at most'): string => {
  const unit = counted[origin]
  if (unit === undefined) return `must be ${limit} or ${few === 'at least' ? 'more' : 'less'}`
  return few === 'at least' && Number(limit) === 1 ? 'must not be empty' : `must have ${few} ${limit} ${unit}`
}

/**
 * What would be right, as the end of a sentence that begins with the field's name: zod's `error` for everything that comes over
 * the API. A schema's own messages win over these. (svc.yml has its own wording: config-problems.ts.)
 */
export const wording = (issue: RawIssue): string | undefined => {
  switch (issue.code) {
    case 'invalid_type':
      return must(issue, named(issue.expected))
    case 'invalid_value':
      return must(issue, oneOf(issue.values))
    case 'too_small':
      return bound(issue.origin, issue.minimum, 'at least')
    case 'too_big':
      return bound(issue.origin, issue.maximum, 'at most')
    default:
      return undefined
  }
}

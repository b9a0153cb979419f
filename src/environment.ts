import { parseDuration } from '#domain/duration.ts'
import { trimEndOf } from '#domain/texts/trim.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** Reads variables one at a time and collects what is wrong with them, so all problems are reported at once. */
export type Variables = {
  readonly problems: string[]
  /** Trimmed; an empty value counts as unset. */
  text(name: string): string | undefined
  /** An absolute http or https address without query, fragment and credentials; trailing slashes removed. */
  url(name: string): string | undefined
  /** An absolute http or https address that people open: it may have a query and a fragment, and is kept as written. */
  link(name: string): string | undefined
  positiveInteger(name: string, unset: number): number
  boolean(name: string, unset: boolean): boolean
  oneOf<T extends string>(name: string, values: readonly T[], unset: T): T
  /** Milliseconds of a duration such as 168h. */
  duration(name: string, unset: string): number
  /** The values if every variable is set; a problem if only some are. */
  allOrNone(names: readonly string[]): (string | undefined)[]
  /** Records a problem; returns undefined, so a reader may return it. */
  wrong(name: string, what: string): undefined
  /** Records that a required variable is not set; nothing if it is set but wrong. */
  missing(name: string, what: string): void
}

export const readEnvironment = (env: Env): Variables => {
  const problems: string[] = []
  const text = (name: string): string | undefined => env[name]?.trim() || undefined
  const wrong = (name: string, what: string): undefined => {
    problems.push(`${name}: ${what}`)
  }
  /** The default if unset; if `read` finds no value in it, a problem (and the default, never used). */
  const parsed = <T>(name: string, unset: T, read: (text: string) => T | undefined, rule: string): T => {
    const given = text(name)
    if (given === undefined) return unset
    const value = read(given)
    return value === undefined ? (wrong(name, `'${given}' ${rule}`) ?? unset) : value
  }
  return {
    problems,
    text,
    wrong,
    url: (name) => {
      const given = text(name)
      if (given === undefined) return undefined
      const problem = linkProblem(given) ?? queryProblem(given)
      return problem ? wrong(name, problem) : trimEndOf(given, '/')
    },
    link: (name) => {
      const given = text(name)
      const problem = given === undefined ? undefined : linkProblem(given)
      return problem ? wrong(name, problem) : given
    },
    positiveInteger: (name, unset) =>
      parsed(
        name,
        unset,
        (given) => (/^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined),
        'must be a positive integer',
      ),
    boolean: (name, unset) =>
      parsed(name, unset, (given) => booleans.get(given.toLowerCase()), 'must be true or false'),
    oneOf: (name, values, unset) =>
      parsed(name, unset, (given) => values.find((value) => value === given), `must be one of ${values.join(', ')}`),
    duration: (name, unset) =>
      parsed(name, parseDuration(unset) ?? 0, parseDuration, 'must be a duration longer than nothing, such as 720h'),
    allOrNone: (names) => {
      const unset = names.filter((name) => text(name) === undefined)
      if (unset.length > 0 && unset.length < names.length) {
        const set = names.filter((name) => !unset.includes(name))
        for (const name of unset)
          wrong(name, `must be set when ${set.join(' and ')} is: set all of ${names.join(', ')}, or none`)
      }
      return names.map(text)
    },
    missing: (name, what) => {
      if (text(name) === undefined) wrong(name, `must be set: ${what}`)
    },
  }
}

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** The value is not repeated if it may hold a password. */
const linkProblem = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (!url || !/^https?:\/\//i.test(text)) return 'must be an absolute http:// or https:// address'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  // it goes into headers and is compared with what others send: URL.parse would correct it only in its own copy
  return /[^\x21-\x7e]/.test(text)
    ? `'${text}' must be written in ASCII without spaces, its host as ${url.host}`
    : undefined
}

const queryProblem = (text: string): string | undefined =>
  /[?#]/.test(text) ? `'${text}' must have no query and no fragment` : undefined

import { z } from 'zod'
import { limits } from '#domain/limits.ts'
import { runModes, runTriggers } from '#domain/run-status.ts'

/**
 * Ids of runs, stacks and modules. Any UUID: a version that we never make is valid in form, it just does not exist. In lower
 * case from here on, as Postgres shows them.
 */
export const Uuid = z.guid('must be a UUID').toLowerCase()

/** RFC 3339 in UTC. */
export const Timestamp = z.iso.datetime({ error: 'must be a time in UTC such as 2026-01-31T12:00:00Z' })

export const Sha = z
  .string()
  .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, 'must be a full commit id in lower-case hexadecimal')

/** Text that Postgres can store, and compare with what it stores. */
export const Text = z.string().refine((text) => !text.includes('\0'), 'must not hold the character U+0000')

export const RepoName = Text.regex(/^[^/\s]+\/[^/\s]+$/, 'must be owner/name')

export const StackKey = Text.min(1, 'must not be empty')
  .max(limits.keyChars, `must have at most ${limits.keyChars} characters`)
  // fetch, curl and proxies drop a segment that is a dot, however it is encoded
  .overwrite((key) => (key === './' ? '.' : key))
  .describe("Directory of the stack, `path:instance` for an instance of it; the root's `.` may be spelled `./`")

/** In a query, where everything is text. */
export const PullNumber = z
  .string()
  .regex(/^0*[1-9][0-9]{0,8}$/, 'must be the number of a pull request')
  .transform(Number)

/** In a query: one or several, with commas between. */
export const listOf = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .string()
    .transform((text) => [...new Set(text.split(','))])
    .pipe(z.array(item))

/** In a query. */
export const Flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true')

export const PositiveInteger = z.int().positive()

/** Integers from 0 up: counts, wave numbers. */
export const Count = z.int().min(0)

export const Mode = z.enum(runModes).meta({ id: 'Mode', description: 'What a run is for' })

export const Trigger = z.enum(runTriggers).meta({ id: 'Trigger', description: 'What started a run' })

export const Tool = z.enum(['terraform', 'tofu', 'terragrunt'])
export const PlanOutput = z.enum(['full', 'summary'])

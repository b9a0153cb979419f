import { z } from 'zod'
import { runModes, runStatuses } from '#domain/run-status.ts'
import { type FragmentSqlToken, type Reader, sql } from '../sql.ts'
import { isVisible, type Sight } from '../visibility.ts'
import { contains } from './contains.ts'

/** What is looked for: words that must all be there, and the caller who asks. */
export type Sought = { sight: Sight; words: readonly string[]; limit: number }

const there = (sight: Sight): FragmentSqlToken => sql.fragment`(
  select r.installation_id, r.id, r.full_name from repositories r join installations i on i.id = r.installation_id
  where r.removed_at is null and i.removed_at is null and ${isVisible(sight, sql.fragment`r.id`)}) p`

/** All words are in the text, in any letter case. */
const hasAll = (text: FragmentSqlToken, words: readonly string[]): FragmentSqlToken =>
  sql.fragment`${sql.join(
    words.map((word) => contains(text, word)),
    sql.fragment` and `,
  )}`

/** The text itself first, then those with a part that begins with the last word, then the shortest. */
const nearest = (text: FragmentSqlToken, words: readonly string[]): FragmentSqlToken => {
  const last = words.at(-1) ?? ''
  return sql.fragment`lower(${text}) <> lower(${words.join(' ')}),
    strpos('/' || lower(${text}), lower(${`/${last}`})) = 0, length(${text}), ${text} collate "C"`
}

const FoundStack = z.object({ id: z.string(), repo: z.string(), key: z.string() })

/** Looks through the keys of all listed stacks that the caller sees: 50,000 take some 30 ms. */
export const findStacks = (
  db: Reader,
  { sight, words, limit }: Sought,
): Promise<readonly z.infer<typeof FoundStack>[]> =>
  db.any(sql.type(FoundStack)`
    select s.id, p.full_name as repo, s.key from ${there(sight)} join stacks s
      on s.installation_id = p.installation_id and s.repo_id = p.id and s.listed
    where ${hasAll(sql.fragment`s.key`, words)}
    order by ${nearest(sql.fragment`s.key`, words)}, s.id limit ${limit}`)

const FoundRepository = z.object({ full_name: z.string() })

export const findRepositories = (
  db: Reader,
  { sight, words, limit }: Sought,
): Promise<readonly z.infer<typeof FoundRepository>[]> =>
  db.any(sql.type(FoundRepository)`
    select p.full_name from ${there(sight)} where ${hasAll(sql.fragment`p.full_name`, words)}
    order by ${nearest(sql.fragment`p.full_name`, words)} limit ${limit}`)

const FoundRun = z.object({
  id: z.string(),
  repo: z.string(),
  sha: z.string(),
  mode: z.enum(runModes),
  status: z.enum(runStatuses),
  pr_number: z.number().nullable(),
  created_at: z.date(),
})

/** Runs whose id or commit begins with these hexadecimal digits, newest first. */
export const findRuns = (
  db: Reader,
  { sight, digits, limit }: { sight: Sight; digits: string; limit: number },
): Promise<readonly z.infer<typeof FoundRun>[]> =>
  db.any(sql.type(FoundRun)`
    select r.id, p.full_name as repo, r.sha, r.mode, r.status, r.pr_number, r.created_at
    from (
      select installation_id, id from runs where ${digits.length <= 32} and id between ${lowest(digits)}::uuid and ${highest(digits)}::uuid
      union select installation_id, id from runs where sha ~>=~ ${digits} and sha ~<~ ${`${digits}g`}) i
    join runs r on r.installation_id = i.installation_id and r.id = i.id join ${there(sight)} on p.id = r.repo_id
    order by r.created_at desc, r.id desc limit ${limit}`)

const uuidOf = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const lowest = (digits: string): string => uuidOf(digits.slice(0, 32).padEnd(32, '0'))
const highest = (digits: string): string => uuidOf(digits.slice(0, 32).padEnd(32, 'f'))

const FoundPull = z.object({
  repo: z.string(),
  number: z.number(),
  title: z.string().nullable(),
  state: z.enum(['open', 'closed']),
})

/** Pull requests with this number, and open ones whose title has all words. */
export const findPullRequests = (
  db: Reader,
  { sight, words, limit, number }: Sought & { number: number | undefined },
): Promise<readonly z.infer<typeof FoundPull>[]> =>
  db.any(sql.type(FoundPull)`
    select p.full_name as repo, q.number, q.title, q.state from ${there(sight)}
    cross join lateral (
      select number, title, state from pull_requests
      where installation_id = p.installation_id and repo_id = p.id and number = ${number ?? null}::int4
      union select number, title, state from pull_requests
      where installation_id = p.installation_id and repo_id = p.id and state = 'open' and ${hasAll(sql.fragment`title`, words)}) q
    order by q.number <> ${number ?? 0}, q.state = 'closed', q.number desc, p.full_name limit ${limit}`)

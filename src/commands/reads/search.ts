import type { PersonOrKey } from '#commands/callers/caller.ts'
import { sightOf } from '#commands/callers/person.ts'
import { present, runUrl } from '#commands/shapes/shape-run.ts'
import type { Pool } from '#db/sql.ts'
import { moduleViews } from '#db/views/module-view.ts'
import { findPullRequests, findRepositories, findRuns, findStacks } from '#db/views/search-view.ts'
import type { RequestDeps } from '../deps.ts'

const shown = 8

/** Fewer digits would be the beginning of many runs. */
const isPrefix = (word: string): boolean => /^[0-9a-f]{4,64}$/.test(word)

/**
 * Up to eight each of the stacks, runs, pull requests, modules and repositories that have all words of the text in their name
 * (docs/interface.md, 'GET /v1/search'). A run is found by the first digits of its id or commit, a pull request by its number
 * and, while it is open, by its title.
 */
export const search = async (
  { pool, baseUrl }: Pick<RequestDeps, 'pool' | 'baseUrl'>,
  caller: PersonOrKey,
  text: string,
) => {
  const words = text.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return {}
  const sought = { sight: sightOf(caller), words, limit: shown }
  const [stacks, repositories, modules, pulls, runs] = await Promise.all([
    findStacks(pool, sought),
    findRepositories(pool, sought),
    modulesWith(pool, sought),
    findPullRequests(pool, { ...sought, number: numberOf(words) }),
    runsWith(pool, sought),
  ])
  return present({
    stacks: [...stacks],
    runs: runs.map(({ created_at, pr_number, ...run }) => ({
      ...run,
      ...present({ pr_number }),
      created_at: created_at.toISOString(),
      html_url: runUrl(baseUrl, run),
    })),
    pull_requests: pulls.map(({ title, ...pull }) => ({ ...pull, ...present({ title }) })),
    modules,
    repositories: repositories.map(({ full_name }) => full_name),
  })
}

type Sought = Parameters<typeof findStacks>[1]

/** `42` or `#42`, alone. */
const numberOf = (words: readonly string[]): number | undefined => {
  const digits = words.length === 1 ? /^#?([1-9][0-9]{0,8})$/.exec(words[0] ?? '')?.[1] : undefined
  return digits === undefined ? undefined : Number(digits)
}

const runsWith = async (pool: Pool, { sight, words, limit }: Sought) => {
  const digits = words.length === 1 ? (words[0] ?? '').toLowerCase().replaceAll('-', '') : ''
  return isPrefix(digits) ? findRuns(pool, { sight, digits, limit }) : []
}

/** Of those that contain the longest word, since modules are few. */
const modulesWith = async (pool: Pool, { sight, words, limit }: Sought) => {
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one))
  const found = await moduleViews(pool, { sight, q: longest, after: undefined, limit: mostModules })
  return found
    .filter(({ key }) => words.every((word) => key.toLowerCase().includes(word.toLowerCase())))
    .slice(0, limit)
    .map(({ id, key, latest }) => ({ id, key, ...present({ latest }) }))
}

const mostModules = 200

import type { LinkOptions } from '@tanstack/react-router'
import type { SearchResult } from '../api/search.ts'
import { ownerAndRepo } from '../parts/owner-and-repo.ts'
import { shortId } from '../parts/text/short-id.ts'
import { runName } from '../run/run-name.ts'
import { runLook, type StatusLook } from '../status/table.ts'

/** Something that was found, and where it is. */
export type Hit = {
  id: string
  name: string
  /** What tells it from others of that name. */
  beside?: string
  look?: StatusLook
  to: LinkOptions
}

export type Group = { heading: string; hits: Hit[] }

/** The fewest characters that are looked for: less is in everything. */
export const fewest = 2

const stacks = (found: SearchResult['stacks'] = []): Hit[] =>
  found.map(({ id, repo, key }) => ({
    id,
    name: key,
    beside: repo,
    to: { to: '/stacks/$id', params: { id } },
  }))

const runs = (found: SearchResult['runs'] = []): Hit[] =>
  found.map(({ id, repo, sha, status, ...run }) => ({
    id,
    name: runName({ ...run, trigger: run.pr_number === undefined ? 'manual' : 'comment' }),
    beside: `${repo}, ${shortId(id)} at ${sha.slice(0, 7)}`,
    look: runLook(status, run.mode),
    to: { to: '/runs/$id', params: { id } },
  }))

const pulls = (found: SearchResult['pull_requests'] = []): Hit[] =>
  found.map(({ repo, number, title, state }) => ({
    id: `${repo}#${number}`,
    name: title === undefined ? `#${number}` : `#${number} ${title}`,
    beside: state === 'open' ? repo : `${repo}, closed`,
    to: { to: '/repos/$owner/$repo/pulls/$number', params: { ...ownerAndRepo(repo), number: String(number) } },
  }))

const repositories = (found: SearchResult['repositories'] = []): Hit[] =>
  found.map((name) => ({ id: name, name, to: { to: '/repos/$owner/$repo', params: ownerAndRepo(name) } }))

const modules = (found: SearchResult['modules'] = []): Hit[] =>
  found.map(({ id, key, latest }) => ({
    ...{ id, name: key, to: { to: '/modules/$id', params: { id } } },
    ...(latest === undefined ? {} : { beside: `newest ${latest}` }),
  }))

/** What was found, kind by kind, in the order in which people look for things. */
export const groupsOf = (found: SearchResult): Group[] =>
  [
    { heading: 'Stacks', hits: stacks(found.stacks) },
    { heading: 'Pull requests', hits: pulls(found.pull_requests) },
    { heading: 'Runs', hits: runs(found.runs) },
    { heading: 'Modules', hits: modules(found.modules) },
    { heading: 'Repositories', hits: repositories(found.repositories) },
  ].filter(({ hits }) => hits.length > 0)

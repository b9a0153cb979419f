import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Received } from './receiver.ts'

type Example = { name: string; examples: Record<string, unknown>[] }

const published = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('@octokit/webhooks-examples/api.github.com/index.json'), 'utf8'),
) as Example[]

const kind = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

/** Each path of a value with the types seen there; items of an array share one path. */
const shape = (value: unknown, at: string, seen: Map<string, Set<string>>): Map<string, Set<string>> => {
  seen.set(at, (seen.get(at) ?? new Set()).add(kind(value)))
  if (Array.isArray(value)) for (const item of value) shape(item, `${at}[]`, seen)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) shape(one, `${at}.${key}`, seen)
  }
  return seen
}

const shapesOf = (event: string): Map<string, Set<string>> => {
  const seen = new Map<string, Set<string>>()
  for (const example of published.find(({ name }) => name === event)?.examples ?? []) shape(example, '', seen)
  return seen
}

/**
 * Paths for which the examples are too few, by how their keys begin. The examples are some years old, show a value that may
 * be null as only null or only a value, and contain no comment on a pull request. The first four are checked as parts of
 * REST answers.
 */
const beyondExamples: Record<string, string> = {
  'issue_comment.comment.performed_via_github_app': 'always null there; an app when a bot comments',
  'pull_request.pull_request.merged_by': 'always null there; a person after a merge',
  'pull_request.pull_request.merged_at': 'always null there; a time after a merge',
  'workflow_run.workflow_run.referenced_workflows': 'newer than the examples',
  'pull_request_review.pull_request.body': 'a pull request may have no text',
  'pull_request_review.pull_request.merge_commit_sha': 'null before GitHub has made the test merge',
  'create.repository.language': 'null until GitHub has looked',
  'delete.repository.language': 'null until GitHub has looked',
  'release.repository.language': 'null until GitHub has looked',
  'release.organization': 'all examples are of a person',
  'pull_request_review.pull_request.base.repo.language': 'null until GitHub has looked',
  'pull_request_review.pull_request.head.repo.language': 'null until GitHub has looked',
  'pull_request_review.repository.language': 'null until GitHub has looked',
  'pull_request_review.review.body': 'the examples have no text',
  'merge_group.reason': 'no example is of a group that was destroyed (GitHub Docs, merge_group destroyed)',
  'merge_group.repository.description': 'a repository may have none',
  'merge_group.repository.homepage': 'a repository may have none',
  'merge_group.repository.language': 'null until GitHub has looked',
  'repository.changes.owner.from.organization': 'the examples come from people, not from organisations',
  'issue_comment.issue.pull_request': 'the examples are comments on plain issues',
  'issue_comment.issue.body': 'a pull request may have no text',
  'push.repository.language': 'null until GitHub has looked',
  'workflow_run.installation': 'the examples come from a webhook of a repository, not of an app',
  'installation_repositories.installation.app_slug': 'newer than the examples',
}

/** Permissions are a map by name; the items of a list that is empty in each example cannot be compared. */
const incomparable = (path: string, examples: Map<string, Set<string>>): boolean =>
  /\.permissions\.\w+$/.test(path) || (path.endsWith('[]') && (examples.get(path.slice(0, -2))?.has('array') ?? false))

/** The keys of a payload that GitHub's examples of its event lack, or have with another type. */
export const differences = ({ event, payload }: Received): string[] => {
  const examples = shapesOf(event)
  const found: string[] = []
  for (const [path, types] of shape(payload, '', new Map())) {
    const known = examples.get(path)
    if (Object.keys(beyondExamples).some((start) => `${event}${path}`.startsWith(start))) continue
    if (!known && incomparable(path, examples)) continue
    if (!known) found.push(`${event}${path} is in no example`)
    else for (const type of types) if (!known.has(type)) found.push(`${event}${path} is ${type}, not ${[...known]}`)
  }
  return found
}

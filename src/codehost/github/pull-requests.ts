import { z } from 'zod'
import type { Pusher } from '#domain/gate/facts.ts'
import type { PullRequest, RepoRef } from '../port.ts'
import { type Calls, inRepo } from './client/calls.ts'

// https://docs.github.com/rest/pulls/pulls, version 2022-11-28. A deleted account's user is null; GitHub shows it as ghost.
const PullAnswer = z.object({
  number: z.number(),
  title: z.string(),
  state: z.enum(['open', 'closed']),
  merged_at: z.string().nullable(),
  // before the merge this is the test merge, and versions from 2026 on leave it out
  merge_commit_sha: z.string().nullish(),
  draft: z.boolean().default(false),
  user: z.object({ login: z.string() }).nullable(),
  head: z.object({ sha: z.string(), ref: z.string(), repo: z.object({ id: z.number() }).nullable() }),
  base: z.object({ sha: z.string(), ref: z.string() }),
  mergeable: z.boolean().nullable().default(null),
  mergeable_state: z.string().default('unknown'),
  changed_files: z.number(),
  merged_by: z.object({ login: z.string() }).nullish(),
})

const ListAnswer = z.array(
  PullAnswer.omit({ mergeable: true, mergeable_state: true, changed_files: true, merged_by: true }),
)

const FilesAnswer = z.array(
  z.object({ filename: z.string(), status: z.string(), previous_filename: z.string().optional() }),
)

// https://docs.github.com/rest/repos/repos#list-repository-activities: newest first, with permission to read contents
const ActivitiesAnswer = z.array(
  z.object({ after: z.string(), actor: z.object({ login: z.string(), type: z.string().default('User') }).nullish() }),
)
type Activity = z.infer<typeof ActivitiesAnswer>[number]

const mostActivities = 100

const isByBot = ({ actor }: Activity): boolean => actor?.type === 'Bot' || actor?.login.endsWith('[bot]') === true

export const getPullRequest = async (calls: Calls, repo: RepoRef, number: number): Promise<PullRequest | undefined> => {
  const pull = await calls.find(
    {
      act: `reading pull request ${number} of ${repo.owner}/${repo.name}`,
      route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
      ...inRepo(repo, { pull_number: number }),
    },
    PullAnswer,
  )
  if (pull === undefined) return undefined
  const { mergeable, mergeable_state: mergeableState, changed_files: changedFiles } = pull
  const mergedBy = pull.merged_by ? { mergedBy: pull.merged_by.login } : {}
  return { ...toListed(pull), ...mergedBy, mergeable, mergeableState, changedFiles }
}

type ListedPullRequest = Omit<PullRequest, 'mergedBy' | 'mergeable' | 'mergeableState' | 'changedFiles'>

const toListed = (pull: z.infer<typeof ListAnswer>[number]): ListedPullRequest => ({
  number: pull.number,
  title: pull.title,
  state: pull.state,
  mergedAt: pull.merged_at,
  mergeCommitSha: pull.merged_at === null ? null : (pull.merge_commit_sha ?? null),
  draft: pull.draft,
  headSha: pull.head.sha,
  headRef: pull.head.ref,
  headRepoId: pull.head.repo?.id ?? null,
  baseSha: pull.base.sha,
  baseRef: pull.base.ref,
  author: pull.user?.login ?? 'ghost',
})

/** Oldest first: a pull request opened while the pages are read comes last, so none shows up on two pages. */
export const listOpenPullRequests = async (calls: Calls, repo: RepoRef): Promise<ListedPullRequest[]> => {
  const open: ListedPullRequest[] = []
  const pages = calls.pages(
    {
      act: `listing the open pull requests of ${repo.owner}/${repo.name}`,
      route: 'GET /repos/{owner}/{repo}/pulls',
      ...inRepo(repo, { state: 'open', sort: 'created', direction: 'asc' }),
    },
    ListAnswer,
  )
  for await (const page of pages) open.push(...page.map(toListed))
  return open
}

/** GitHub lists the first 3,000 files and stops without a word ('List pull requests files'). */
const mostFilesListed = 3000

export const listPullRequestPaths = async (
  calls: Calls,
  repo: RepoRef,
  number: number,
): Promise<string[] | undefined> => {
  const paths = new Set<string>()
  let listed = 0
  const pages = calls.pages(
    {
      act: `listing the files of pull request ${number} of ${repo.owner}/${repo.name}`,
      route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files',
      ...inRepo(repo, { pull_number: number }),
    },
    FilesAnswer,
  )
  for await (const files of pages) {
    listed += files.length
    for (const file of files) {
      paths.add(file.filename)
      if (file.status === 'renamed' && file.previous_filename !== undefined) paths.add(file.previous_filename)
    }
  }
  if (listed >= mostFilesListed && listed !== (await getPullRequest(calls, repo, number))?.changedFiles)
    return undefined
  return [...paths]
}

/**
 * Whoever last made a commit the tip of a branch: by a push, a forced one, or by creating the branch there. What a bot pushes, a
 * formatter say, it pushes on top of what a person did: then it is the last person before, if there was one.
 */
export const pusherOf = async (
  calls: Calls,
  repo: RepoRef,
  branch: string,
  sha: string,
): Promise<Pusher | undefined> => {
  const activities = await calls.find(
    {
      act: `reading who pushed ${branch} of ${repo.owner}/${repo.name}`,
      route: 'GET /repos/{owner}/{repo}/activity',
      ...inRepo(repo, { ref: `refs/heads/${branch}`, per_page: mostActivities }),
    },
    ActivitiesAnswer,
  )
  const head = activities?.findIndex(({ after }) => after === sha) ?? -1
  if (activities === undefined || head < 0) return undefined
  const byPerson = activities.slice(head).find((push) => !isByBot(push))
  // there may be more, by people
  if (byPerson === undefined && activities.length >= mostActivities) return undefined
  const push = byPerson ?? activities[head]
  return push && { login: push.actor?.login ?? null, sha: push.after }
}

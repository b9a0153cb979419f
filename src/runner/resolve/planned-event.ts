import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { readMergeGroup } from '#domain/merge-group.ts'
import { Problem } from '#errors.ts'

/** What the client reads of a pull_request event's payload. Source: docs.github.com, 'Webhook events and payloads'. */
const PullRequestEvent = z.object({
  pull_request: z.object({
    number: z.int().positive(),
    head: z.object({ sha: z.string(), repo: z.object({ id: z.int() }).nullish() }),
    base: z.object({ sha: z.string(), repo: z.object({ id: z.int() }).nullish() }),
  }),
})

const OfRepository = z.object({ repository: z.object({ default_branch: z.string().min(1) }) })

/** The same of a merge_group event's. */
const MergeGroupEvent = z.object({
  merge_group: z.object({ head_ref: z.string(), head_sha: z.string(), base_sha: z.string() }),
})

/** The change that a job is to plan: a pull request, or what a merge queue is about to merge. */
export type PlannedEvent = {
  /** Of the pull request; the last one of a merge group. */
  number: number
  headSha: string
  baseSha: string
  /** Name of the default branch; undefined if the event does not say it. */
  defaultBranch?: string
  /** Whether its branch is in another repository, or in a deleted one: GitHub gives its jobs no token. */
  isFork: boolean
}

/** The change of a job; undefined for a job of another event, or outside a job. */
export const readPlannedEvent = async (path: string | undefined): Promise<PlannedEvent | undefined> => {
  if (path === undefined) return undefined
  let payload: unknown
  try {
    payload = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw new Problem(
      'invalid',
      `GITHUB_EVENT_PATH: reading ${path}: ${error instanceof Error ? error.message : error}`,
    )
  }
  const event = ofPullRequest(payload) ?? ofMergeGroup(payload)
  const repository = OfRepository.safeParse(payload)
  if (event === undefined || !repository.success) return event
  return { ...event, defaultBranch: repository.data.repository.default_branch }
}

const ofPullRequest = (payload: unknown): PlannedEvent | undefined => {
  const event = PullRequestEvent.safeParse(payload)
  if (!event.success) return undefined
  const { number, head, base } = event.data.pull_request
  return { number, headSha: head.sha, baseSha: base.sha, isFork: head.repo?.id !== base.repo?.id }
}

const ofMergeGroup = (payload: unknown): PlannedEvent | undefined => {
  const event = MergeGroupEvent.safeParse(payload)
  const group = event.success ? readMergeGroup(event.data.merge_group.head_ref) : undefined
  if (!event.success || group === undefined) return undefined
  const { head_sha: headSha, base_sha: baseSha } = event.data.merge_group
  return { number: group.prNumber, headSha, baseSha, isFork: false }
}

import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { Problem } from '#errors.ts'

/** What the client reads of a pull_request event's payload. Source: docs.github.com, 'Webhook events and payloads'. */
const Event = z.object({
  pull_request: z.object({
    number: z.int().positive(),
    head: z.object({ sha: z.string(), repo: z.object({ id: z.int() }).nullish() }),
    base: z.object({ sha: z.string(), repo: z.object({ id: z.int() }).nullish() }),
  }),
})

export type PullRequestEvent = {
  number: number
  headSha: string
  baseSha: string
  /** Whether its branch is in another repository, or in a deleted one: GitHub gives its jobs no token. */
  isFork: boolean
}

/** The pull request of a job; undefined for a job of another event, or outside a job. */
export const readPullRequestEvent = async (path: string | undefined): Promise<PullRequestEvent | undefined> => {
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
  const event = Event.safeParse(payload)
  if (!event.success) return undefined
  const { number, head, base } = event.data.pull_request
  return { number, headSha: head.sha, baseSha: base.sha, isFork: head.repo?.id !== base.repo?.id }
}

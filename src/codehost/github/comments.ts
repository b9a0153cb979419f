import { z } from 'zod'
import type { RepoRef } from '../port.ts'
import { type Calls, inRepo, longTexts, undefinedIfForbidden } from './client/calls.ts'

// https://docs.github.com/rest/issues/comments: a comment on a pull request is one on its issue.
const MadeAnswer = z.object({ id: z.number() })
const ListAnswer = z.array(
  z.object({
    id: z.number(),
    body: z.string().nullish(),
    performed_via_github_app: z.object({ id: z.number() }).nullish(),
  }),
)

/**
 * This app's oldest comment that begins with the marker, of all or of those made or edited since a time: anybody may quote the marker, and our own answer to a command may
 * hold it in a quotation.
 */
export const findComment = async (
  calls: Calls,
  appId: number,
  repo: RepoRef,
  number: number,
  { marker, since }: { marker: string; since?: Date | undefined },
): Promise<number | undefined> => {
  const pages = calls.pages(
    {
      act: `listing comments of pull request ${number} of ${repo.owner}/${repo.name}`,
      route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
      ...inRepo(repo, { issue_number: number, ...(since ? { since: since.toISOString() } : {}) }),
      perPage: longTexts,
    },
    ListAnswer,
  )
  for await (const comments of pages) {
    const own = comments.find((one) => one.performed_via_github_app?.id === appId && one.body?.startsWith(marker))
    if (own !== undefined) return own.id
  }
  return undefined
}

/**
 * GitHub keeps one reaction of a kind per app: 201 the first time, 200 from then on. So the call may be repeated after a
 * lost answer.
 */
export const addReaction = async (
  calls: Calls,
  repo: RepoRef,
  commentId: number,
  reaction: 'eyes' | 'rocket',
): Promise<boolean> => {
  const made = await calls.find(
    {
      act: `reacting to comment ${commentId} of ${repo.owner}/${repo.name}`,
      route: 'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
      ...inRepo(repo, { comment_id: commentId, content: reaction }),
    },
    MadeAnswer,
  )
  return made !== undefined
}

export const createComment = async (calls: Calls, repo: RepoRef, number: number, body: string): Promise<number> => {
  const made = await calls.ask(
    {
      act: `commenting on pull request ${number} of ${repo.owner}/${repo.name}`,
      route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
      ...inRepo(repo, { issue_number: number, body }),
      once: true,
    },
    MadeAnswer,
  )
  return made.id
}

export const updateComment = async (calls: Calls, repo: RepoRef, id: number, body: string): Promise<boolean> => {
  const made = await calls
    .find(
      {
        act: `editing comment ${id} of ${repo.owner}/${repo.name}`,
        route: 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
        ...inRepo(repo, { comment_id: id, body }),
      },
      MadeAnswer,
    )
    .catch(undefinedIfForbidden)
  return made !== undefined
}

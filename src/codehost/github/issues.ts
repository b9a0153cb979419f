import { z } from 'zod'
import type { Issue, IssueText, RepoRef } from '../port.ts'
import { Refusal } from '../refusal.ts'
import { type Calls, inRepo, longTexts } from './client/calls.ts'

// https://docs.github.com/rest/issues/issues
const MadeAnswer = z.object({ number: z.number(), html_url: z.string() })
const ListAnswer = z.array(
  z.object({
    number: z.number(),
    html_url: z.string(),
    body: z.string().nullish(),
    pull_request: z.unknown().optional(),
    performed_via_github_app: z.object({ id: z.number() }).nullish(),
  }),
)

const issueOf = ({ number, html_url: url }: z.infer<typeof MadeAnswer>): Issue => ({ number, url })

/** This app's oldest issue that begins with the marker, among those touched since a time: pull requests are listed too. */
export const findIssue = async (
  calls: Calls,
  appId: number,
  repo: RepoRef,
  { marker, since }: { marker: string; since: Date },
): Promise<Issue | undefined> => {
  const pages = calls.pages(
    {
      act: `listing issues of ${repo.owner}/${repo.name}`,
      route: 'GET /repos/{owner}/{repo}/issues',
      ...inRepo(repo, { state: 'all', sort: 'created', direction: 'asc', since: since.toISOString() }),
      perPage: longTexts,
    },
    ListAnswer,
  )
  for await (const issues of pages) {
    const own = issues.find(
      (one) =>
        one.pull_request === undefined &&
        one.performed_via_github_app?.id === appId &&
        one.body?.startsWith(marker) === true,
    )
    if (own !== undefined) return issueOf(own)
  }
  return undefined
}

export const createIssue = async (calls: Calls, repo: RepoRef, { title, body }: IssueText): Promise<Issue> =>
  issueOf(
    await calls.ask(
      {
        act: `opening an issue in ${repo.owner}/${repo.name}`,
        route: 'POST /repos/{owner}/{repo}/issues',
        ...inRepo(repo, { title, body }),
        once: true,
      },
      MadeAnswer,
    ),
  )

/**
 * 410 if it was deleted. Also 410 if issues are switched off, which only the message says: then the issue is still there, so
 * this is a refusal. A transferred issue answers under its old number, by a redirect, if the app sees the other repository;
 * else it is not found.
 */
export const updateIssue = async (
  calls: Calls,
  repo: RepoRef,
  number: number,
  { title, body, state }: IssueText & { state?: 'open' | 'closed' | undefined },
): Promise<Issue | undefined> => {
  const made = await calls
    .find(
      {
        act: `editing issue ${number} of ${repo.owner}/${repo.name}`,
        route: 'PATCH /repos/{owner}/{repo}/issues/{issue_number}',
        ...inRepo(repo, {
          ...{ issue_number: number, title, body },
          ...(state === undefined ? {} : { state, state_reason: state === 'closed' ? 'completed' : 'reopened' }),
        }),
      },
      MadeAnswer,
    )
    .catch(undefinedIfGone)
  return made && issueOf(made)
}

const undefinedIfGone = (error: unknown): undefined => {
  if (error instanceof Refusal && error.hostStatus === 410 && !/disabled/i.test(error.hostMessage)) return undefined
  throw error
}

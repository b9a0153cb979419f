import { z } from 'zod'
import { issueBody, issueBodyOfPull } from '#emulator/bodies/issue.ts'
import { changeIssue, openIssue } from '#emulator/people/issues.ts'
import type { Issue } from '#emulator/people-records.ts'
import type { PullRequest } from '#emulator/records.ts'
import { findPull, fullName } from '#emulator/store.ts'
import { appBot } from './serving/app-bot.ts'
import type { RepositoryCall } from './serving/call.ts'
import { GitHubError, notFound, validationFailed } from './serving/errors.ts'
import { paginate } from './serving/pagination.ts'
import { repositoryRoute } from './serving/route.ts'
import { parseBody } from './serving/validation.ts'

const maxTitle = 256
const maxBody = 65_536

const states = z.enum(['open', 'closed'])
const reasons = z.enum(['completed', 'not_planned', 'reopened', 'duplicate'])
const created = z.object({ title: z.string(), body: z.string().optional() })
const changed = z.object({
  title: z.string().optional(),
  body: z.string().nullable().optional(),
  state: states.optional(),
  state_reason: reasons.nullable().optional(),
})

const checkLengths = ({ title, body }: { title?: string | undefined; body?: string | null | undefined }): void => {
  const tooLong = (field: string, most: number) =>
    validationFailed({
      resource: 'Issue',
      code: 'custom',
      field,
      message: `${field} is too long (maximum is ${most} characters)`,
    })
  if (title !== undefined && title.trim() === '')
    throw validationFailed({ resource: 'Issue', code: 'missing_field', field: 'title' })
  if ((title ?? '').length > maxTitle) throw tooLong('title', maxTitle)
  if ((body ?? '').length > maxBody) throw tooLong('body', maxBody)
}

/** A repository may disable its issues; pull requests still work, but are not listed either. */
const checkEnabled = ({ repository }: RepositoryCall): void => {
  if (!repository.hasIssues) throw new GitHubError(410, 'Issues has been disabled in this repository.')
}

/** The issue in a path, wherever it is now. */
const issueOf = (call: RepositoryCall): Issue => {
  const { world, repository, params, url } = call
  const number = Number(params.issue_number)
  const issue = [...world.store.issues.values()].find((one) => one.repository === repository && one.number === number)
  if (!issue) throw notFound()
  if (issue.moved === 'deleted') throw new GitHubError(410, 'This issue was deleted')
  if (issue.moved !== undefined) {
    const { repository: to, number: there } = issue.moved
    const path = `/repos/${fullName(to)}/issues/${there}`
    throw new GitHubError(301, 'Moved Permanently', undefined, {
      location: new URL(url).origin + pathBefore(url) + path,
    })
  }
  return issue
}

/** The part of the API's own address before its first path. */
const pathBefore = (url: string): string => new URL(url).pathname.split('/repos/')[0] ?? ''

const bodyOf = (call: RepositoryCall, one: Issue | PullRequest) =>
  'headRef' in one ? issueBodyOfPull(call.world, one) : issueBody(call.world, one)

/** Pull requests are issues too, and are listed among them, newest first. */
const listIssues = (call: RepositoryCall) => {
  const { world, repository, query } = call
  checkEnabled(call)
  const { state = 'open', since, creator } = query
  const after = since === undefined ? 0 : Math.floor(Date.parse(since) / 1000)
  const listed = [...world.store.issues.values(), ...world.store.pulls.values()].filter(
    (one) =>
      one.repository === repository &&
      !('moved' in one && one.moved !== undefined) &&
      (state === 'all' || one.state === state) &&
      (creator === undefined || one.author.login === creator) &&
      Math.floor(one.updatedAt.getTime() / 1000) >= after,
  )
  listed.sort((a, b) => b.number - a.number)
  return paginate(call, listed, (page) => page.map((one) => bodyOf(call, one)))
}

const createIssue = (call: RepositoryCall) => {
  const given = parseBody('Issue', created, call.body)
  checkEnabled(call)
  checkLengths(given)
  const { title, body = null } = given
  const author = appBot(call.world)
  const made = issueBody(call.world, openIssue(call.world, call.repository, { title, body, author, viaApp: true }))
  return { status: 201, body: made, headers: { location: made.url } }
}

const getIssue = (call: RepositoryCall) => {
  const pull = findPull(call.world.store, call.repository, Number(call.params.issue_number))
  return { body: bodyOf(call, pull ?? issueOf(call)) }
}

const updateIssue = (call: RepositoryCall) => {
  checkEnabled(call)
  const issue = issueOf(call)
  const { state_reason: stateReason, ...given } = parseBody('Issue', changed, call.body)
  checkLengths(given)
  const { title = issue.title, body = issue.body, state = issue.state } = given
  changeIssue(call.world, issue, appBot(call.world), { title, body, state, ...(stateReason ? { stateReason } : {}) })
  return { body: issueBody(call.world, issue) }
}

/** GitHub Docs, 'REST API endpoints for issues'. */
export const issueRoutes = [
  repositoryRoute('GET', '/issues', ['issues', 'read'], listIssues),
  repositoryRoute('POST', '/issues', ['issues', 'write'], createIssue),
  repositoryRoute('GET', '/issues/{issue_number}', ['issues', 'read'], getIssue),
  repositoryRoute('PATCH', '/issues/{issue_number}', ['issues', 'write'], updateIssue),
]

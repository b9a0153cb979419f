import type { CodeHost } from '../port.ts'
import { createCheckRun, listCheckRuns, updateCheckRun } from './check-runs.ts'
import { createApp, type GitHubApp, type GitHubOptions } from './client/app.ts'
import { createCalls } from './client/calls.ts'
import { addReaction, createComment, findComment, updateComment } from './comments.ts'
import { branchHead, hasCommit, pathsThatExist, readFile, treeOf } from './contents.ts'
import { listFailedDeliveries, redeliver } from './failed-deliveries.ts'
import { listInstallations, listRepositories } from './installations.ts'
import { createIssue, findIssue, updateIssue } from './issues.ts'
import { isOrganizationMember, isTeamMember, permissionOf } from './permissions.ts'
import { getPullRequest, listOpenPullRequests, listPullRequestPaths, pusherOf } from './pull-requests.ts'
import { listReviews } from './reviews.ts'
import { dateOfTag, listReleases, listTags } from './tags.ts'
import { dispatchWorkflow } from './workflow-dispatches.ts'
import { createOwnBot, getWorkflowRun, listWorkflowRuns, type OwnBot } from './workflow-runs.ts'

/** GitHub, or GitHub Enterprise Server, as a code host. Nothing is sent before the first call. */
export const createGitHub = (options: GitHubOptions): CodeHost => {
  const app = createApp(options)
  const ownBot = createOwnBot(createCalls(app, undefined))
  return hostOf({ app, appId: Number(options.appId), enterprise: isEnterprise(options.apiUrl), ownBot }, undefined)
}

/** GitHub Enterprise Server has its API below its own address ('Getting started with the REST API'). */
const isEnterprise = (apiUrl: string | undefined): boolean =>
  apiUrl !== undefined && /\/api\/v3\/?$/.test(new URL(apiUrl).pathname)

type Connection = { app: GitHubApp; appId: number; enterprise: boolean; ownBot: OwnBot }

const hostOf = (connection: Connection, cause: string | undefined): CodeHost => {
  const { app, appId, enterprise, ownBot } = connection
  const calls = createCalls(app, cause)
  return {
    causedBy: (id) => hostOf(connection, id),
    getPullRequest: (repo, number) => getPullRequest(calls, repo, number),
    listPullRequestPaths: (repo, number) => listPullRequestPaths(calls, repo, number),
    listOpenPullRequests: (repo) => listOpenPullRequests(calls, repo),
    pusherOf: (repo, branch, sha) => pusherOf(calls, repo, branch, sha),
    listReviews: (repo, number) => listReviews(calls, repo, number),
    permissionOf: (repo, login, accountId) => permissionOf(calls, repo, login, accountId),
    isTeamMember: (installationId, team, login) => isTeamMember(calls, installationId, team, login),
    isOrganizationMember: (installationId, org, login) => isOrganizationMember(calls, installationId, org, login),
    readFile: (repo, path, ref) => readFile(calls, repo, path, ref),
    pathsThatExist: (repo, ref, paths) => pathsThatExist(calls, repo, ref, paths),
    hasCommit: (repo, sha) => hasCommit(calls, repo, sha),
    treeOf: (repo, sha) => treeOf(calls, repo, sha),
    branchHead: (repo, branch) => branchHead(calls, repo, branch),
    listTags: (repo) => listTags(calls, repo),
    dateOfTag: (repo, tag) => dateOfTag(calls, repo, tag),
    listReleases: (repo) => listReleases(calls, repo),
    listCheckRuns: (repo, of) => listCheckRuns(calls, appId, repo, of),
    throwIfNoRoomForStacks: async () => {},
    createCheckRun: (repo, check) => createCheckRun(calls, repo, check),
    updateCheckRun: (repo, id, check) => updateCheckRun(calls, repo, id, check),
    findComment: (repo, number, marker, since) => findComment(calls, appId, repo, number, { marker, since }),
    createComment: (repo, number, body) => createComment(calls, repo, number, body),
    updateComment: (repo, id, body) => updateComment(calls, repo, id, body),
    findIssue: (repo, marker, since) => findIssue(calls, appId, repo, { marker, since }),
    createIssue: (repo, issue) => createIssue(calls, repo, issue),
    updateIssue: (repo, number, issue) => updateIssue(calls, repo, number, issue),
    addReaction: (repo, commentId, reaction) => addReaction(calls, repo, commentId, reaction),
    dispatchWorkflow: (repo, dispatch) => dispatchWorkflow(calls, repo, dispatch, !enterprise),
    listWorkflowRuns: (repo, workflow, since) => listWorkflowRuns(calls, ownBot, repo, workflow, since),
    getWorkflowRun: (repo, id) => getWorkflowRun(calls, ownBot, repo, id),
    listFailedDeliveries: (since) => listFailedDeliveries(calls, since),
    redeliver: (deliveryId) => redeliver(calls, deliveryId),
    listInstallations: () => listInstallations(calls),
    listRepositories: (installationId) => listRepositories(calls, installationId),
  }
}

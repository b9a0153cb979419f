import type { App } from '@octokit/app'
import type { CodeHost } from '../port.ts'
import { createApp, type GitHubOptions } from './app.ts'
import { createCalls } from './calls.ts'
import { createCheckRun, listCheckRuns, updateCheckRun } from './check-runs.ts'
import { createComment, findComment, updateComment } from './comments.ts'
import { branchHead, hasPath, readFile } from './contents.ts'
import { listInstallations, listRepositories } from './installations.ts'
import { getPullRequest, listPullRequestPaths } from './pull-requests.ts'

/** GitHub, or GitHub Enterprise Server, as a code host. Nothing is sent before the first call. */
export const createGitHub = (options: GitHubOptions): CodeHost =>
  hostOf(createApp(options), Number(options.appId), undefined)

const hostOf = (app: App, appId: number, cause: string | undefined): CodeHost => {
  const calls = createCalls(app, cause)
  return {
    causedBy: (id) => hostOf(app, appId, id),
    getPullRequest: (repo, number) => getPullRequest(calls, repo, number),
    listPullRequestPaths: (repo, number) => listPullRequestPaths(calls, repo, number),
    readFile: (repo, path, ref) => readFile(calls, repo, path, ref),
    hasPath: (repo, path, ref) => hasPath(calls, repo, path, ref),
    branchHead: (repo, branch) => branchHead(calls, repo, branch),
    listCheckRuns: (repo, sha) => listCheckRuns(calls, appId, repo, sha),
    createCheckRun: (repo, check) => createCheckRun(calls, repo, check),
    updateCheckRun: (repo, id, check) => updateCheckRun(calls, repo, id, check),
    findComment: (repo, number, marker) => findComment(calls, appId, repo, number, marker),
    createComment: (repo, number, body) => createComment(calls, repo, number, body),
    updateComment: (repo, id, body) => updateComment(calls, repo, id, body),
    listInstallations: () => listInstallations(calls),
    listRepositories: (installationId) => listRepositories(calls, installationId),
  }
}

import type { HostPages } from '../port.ts'

/** The pages of GitHub below `webUrl`, as the API's `html_url` spells them; those of GitHub Enterprise Server are the same. */
export const createGitHubPages = (webUrl: string): HostPages => ({
  pullRequest: (repo, number) => `${webUrl}/${repo}/pull/${number}`,
  commit: (repo, sha) => `${webUrl}/${repo}/commit/${sha}`,
  workflowRun: (repo, id, attempt) =>
    `${webUrl}/${repo}/actions/runs/${id}${attempt === undefined ? '' : `/attempts/${attempt}`}`,
})

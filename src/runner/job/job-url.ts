import type { Environment } from '../environment.ts'

/** The page of the job's workflow run. No variable names the job's own page, which is a click from there. */
export const jobUrl = ({ github }: Environment): string | undefined => {
  const { serverUrl, repository, runId, runAttempt } = github
  if (serverUrl === undefined || repository === undefined || runId === undefined) return undefined
  const attempt = runAttempt === undefined ? '' : `/attempts/${runAttempt}`
  return `${serverUrl}/${repository}/actions/runs/${runId}${attempt}`
}

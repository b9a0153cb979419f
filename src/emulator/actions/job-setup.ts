import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { resolveAction } from './actions.ts'
import type { RunnerHost, WorkflowRequest } from './contract.ts'
import type { ObjectValue, Value } from './expressions/value.ts'
import type { JobLog } from './job-log.ts'
import type { JobScope } from './job-scope.ts'
import type { Grace } from './process-group.ts'
import { fillTexts } from './workflow/fill-in.ts'
import type { Job, Permissions, Workflow } from './workflow/schema.ts'

/** One job as a runner gets it: a matrix makes several from one entry in the file. */
export type Assignment = {
  id: number
  /** Key of the entry in the file. */
  key: string
  job: Job
  workflow: Workflow
  request: WorkflowRequest
  host: RunnerHost
  grace: Grace
  /** github, needs, inputs, vars, secrets, strategy and matrix. */
  contexts: Readonly<Record<string, Value>>
  environment: string | undefined
}

/** A job's permissions replace all of the workflow's. */
const mayHaveIdentity = (permissions: Permissions | undefined): boolean =>
  permissions === 'write-all' || (typeof permissions === 'object' && permissions['id-token'] === 'write')

/**
 * The variables with which a step asks for an OIDC token; none without `id-token: write`. Source: docs.github.com, 'OpenID
 * Connect reference', Methods for requesting the OIDC token.
 */
const identityOf = (assignment: Assignment, log: JobLog): Record<string, string> => {
  const { id, job, workflow, request, host, environment } = assignment
  if (!mayHaveIdentity(job.permissions ?? workflow.permissions)) return {}
  const named = environment === undefined ? {} : { environment }
  const granted = host.tokenRequest({ id, runId: request.id, attempt: request.attempt, ...named })
  if (!granted) return {}
  log.mask(granted.token)
  return { ACTIONS_ID_TOKEN_REQUEST_URL: granted.url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: granted.token }
}

/** Workspace, temp and the runner's own directory; the workspace is <repo>/<repo> deep, as on GitHub's runners. */
const makeDirectories = async (directory: string, repo: string) => {
  const paths = {
    workspace: join(directory, repo, repo),
    temp: join(directory, '_temp'),
    control: join(directory, '_control'),
  }
  for (const path of Object.values(paths)) await mkdir(path, { recursive: true })
  return paths
}

/**
 * Prepares a runner for a job below `directory`: contexts, environment, identity, and every action it uses. Throws with the
 * reason if an expression fails or an action is not available.
 */
export const setUpJob = async (assignment: Assignment, directory: string, log: JobLog): Promise<JobScope> => {
  const { job, workflow, request, host, grace, key } = assignment
  for (const secret of Object.values(request.secrets ?? {})) log.mask(secret)
  const paths = await makeDirectories(directory, request.repo.name)
  const eventPath = join(paths.control, 'event.json')
  await writeFile(eventPath, JSON.stringify(request.payload))
  const contexts = {
    ...assignment.contexts,
    github: {
      ...(assignment.contexts.github as ObjectValue),
      workspace: paths.workspace,
      event_path: eventPath,
      job: key,
    },
    runner: { os: 'Linux', arch: process.arch === 'arm64' ? 'ARM64' : 'X64', name: 'emulator', temp: paths.temp },
  }
  for (const step of job.steps) if (step.uses !== undefined) resolveAction(step.uses)
  return {
    ...{ host, request, workflow, job, log, grace, contexts, ...paths },
    env: { ...fillTexts(workflow.env, { contexts }), ...fillTexts(job.env, { contexts }) },
    path: [],
    identity: identityOf(assignment, log),
    steps: {},
    status: 'success',
  }
}

import { setTimeout as wait } from 'node:timers/promises'
import { clientDelays } from '#domain/retry.ts'
import type { Emulator } from '#emulator/emulator.ts'
import type { PullRequestHandle, RepositoryHandle } from '#emulator/handles.ts'

/** An answer of the service: its status and JSON body. */
// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the service answers, and tests look into it
export type Answer = { status: number; body: any }

/** A job of a pull request's workflow, played by the test: a fresh token for each request, as the client does. */
export type PlayedJob = {
  post(path: string, body: unknown): Promise<Answer>
  get(path: string): Promise<Answer>
  /** Registers the run of the pull request's head, or of the head given. */
  /** `more` of the body. */
  open(sha?: string, more?: object): Promise<Answer>
  /** The body of a graph upload for the head. */
  upload(runId: string, upload: object, sha?: string): Promise<Answer>
  report(runId: string, key: string, result?: object): Promise<Answer>
}

/** Where a job runs: the code host that vouches for it, and the service it talks to. */
export type Workplace = {
  github: Pick<Emulator, 'mintToken'>
  repository: Pick<RepositoryHandle, 'id' | 'fullName'>
  service: { url: string }
}

export type JobIdentity = {
  workflowRunId?: number
  attempt?: number
  /** Whether a request without an answer, or with a 5xx, is sent again, as the client does. */
  retries?: boolean
}

export type Claims = Record<string, unknown>

/** Claims of a job of a pull request's workflow, as GitHub would sign them. */
export const jobClaims = (
  { repository }: Pick<Workplace, 'repository'>,
  number: number,
  changes: Claims = {},
): Claims => {
  const ref = `refs/pull/${number}/merge`
  const workflow = `${repository.fullName}/.github/workflows/svc-plan.yml@${ref}`
  return {
    aud: 'http://svc.example.com',
    repository_id: String(repository.id),
    repository: repository.fullName,
    event_name: 'pull_request',
    ref,
    sha: 'f'.repeat(40),
    run_id: '8000',
    run_attempt: '1',
    workflow_ref: workflow,
    job_workflow_ref: workflow,
    ...changes,
  }
}

let workflowRuns = 9_000

/** A new workflow run of the pull request, unless one is named: all its jobs share the id. */
export const playJob = (world: Workplace, pull: PullRequestHandle, identity: JobIdentity = {}): PlayedJob => {
  const { github, repository, service } = world
  const workflowRunId = identity.workflowRunId ?? ++workflowRuns
  const attempt = { run_id: String(workflowRunId), run_attempt: String(identity.attempt ?? 1) }
  const claims = jobClaims(world, pull.number, attempt)
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await github.mintToken(claims)}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const call: typeof ask = identity.retries ? (...request) => retried(() => ask(...request)) : ask
  return {
    post: (path, body) => call('POST', path, body),
    get: (path) => call('GET', path),
    open: (sha = pull.headSha(), more = {}) =>
      call('POST', '/v1/runs', { repo: repository.fullName, sha, pr_number: pull.number, mode: 'plan', ...more }),
    upload: (runId, { graph, ...rest }: { graph?: object }, sha = pull.headSha()) =>
      call('POST', `/v1/runs/${runId}/graph`, {
        graph: { repo: repository.fullName, sha, tree_hash: 'tree', modules: [], edges: [], ...graph },
        config: { version: 1, tool: 'terraform' },
        ...rest,
      }),
    report: (runId, key, result = {}) =>
      call('POST', `/v1/runs/${runId}/stacks/${encodeURIComponent(key)}/result`, { ...planned, ...result }),
  }
}

/** The client's waits. The last one repeats for half a minute, since this machine may be slow to start a service. */
const delays = [...clientDelays, ...Array.from({ length: 15 }, () => clientDelays[2])]

/**
 * A request without an answer, or with a 5xx, is sent again after each of these waits, in milliseconds. The last answer counts.
 */
export const retried = async (
  ask: () => Promise<Answer>,
  waits: Iterable<number | undefined> = delays,
): Promise<Answer> => {
  for (const delay of waits) {
    // fetch throws a TypeError if there was no answer, or half of one
    const answer = await ask().catch((error) => (error instanceof TypeError ? undefined : Promise.reject(error)))
    if (answer && answer.status < 500) return answer
    await wait(delay)
  }
  return ask()
}

/** A plan with one resource to add. */
const planned = {
  mode: 'plan',
  status: 'success',
  exit_code: 2,
  has_changes: true,
  summary: {
    adds: 1,
    changes: 0,
    destroys: 0,
    replaces: 0,
    added: ['terraform_data.it'],
    changed: [],
    destroyed: [],
    replaced: [],
  },
  plan_text: 'Plan: 1 to add, 0 to change, 0 to destroy.\n',
}

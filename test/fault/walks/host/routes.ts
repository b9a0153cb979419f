import { type HostPull, type HostRepository, type HostWorkflowRun, newId } from './records.ts'

/** A request to the code host: the named parts of its path, its query and its body. */
export type Asked = {
  repository: HostRepository
  parts: readonly string[]
  query: URLSearchParams
  // biome-ignore lint/suspicious/noExplicitAny: a body is what the service sends, and each route takes what it knows
  body: any
}

/** A JSON answer, a text, or a status alone. */
export type Answered = { status?: number; json?: unknown; text?: string }

type Route = { method: string; path: RegExp; answer(asked: Asked): Answered }

const none: Answered = { status: 404, json: { message: 'Not Found' } }

const route = (method: string, path: string, answer: (asked: Asked) => Answered): Route => ({
  method,
  path: new RegExp(`^${path.replaceAll('*', '([^/]+)')}$`),
  answer,
})

const pullJson = (repository: HostRepository, pull: HostPull) => ({
  ...{ number: pull.number, title: 'A change', state: pull.state, merged_at: pull.mergedAt, draft: false },
  merge_commit_sha: pull.mergedAt === null ? null : pull.headSha.replace(/^./, 'a'),
  user: { login: 'ada' },
  head: { sha: pull.headSha, ref: pull.headRef, repo: { id: repository.id } },
  base: { sha: 'b'.repeat(40), ref: 'main' },
  ...{ mergeable: true, mergeable_state: 'clean', changed_files: 1 },
  merged_by: pull.mergedAt === null ? null : { login: 'rob' },
})

const runJson = (run: HostWorkflowRun) => ({
  ...{ id: run.id, event: run.event, display_title: run.title, path: run.path, head_sha: 'd'.repeat(40) },
  ...{ head_branch: 'main', actor: { login: 'svc[bot]', type: 'Bot' }, run_attempt: run.attempt, status: run.status },
  ...{ conclusion: run.conclusion, html_url: `http://host.example/${run.id}`, created_at: run.createdAt },
})

/** A workflow run that the app starts. */
const dispatch = ({ repository, parts, body }: Asked): Answered => {
  const { run_id, mode, wave, sha } = body.inputs
  const run: HostWorkflowRun = {
    ...{ id: newId(), event: 'workflow_dispatch', attempt: 1, status: 'queued', conclusion: null },
    ...{ title: `svc ${mode} ${run_id} wave ${wave} ${sha}`, path: `.github/workflows/${parts[0]}` },
    ...{ inputs: body.inputs, createdAt: new Date().toISOString() },
  }
  repository.workflowRuns.set(run.id, run)
  return { json: { workflow_run_id: run.id } }
}

const listed = <T>(map: Map<T, unknown[]>, key: T): unknown[] => map.get(key) ?? []

const added = <T extends { id: number }, K>(map: Map<K, T[]>, key: K, one: T): Answered => {
  map.set(key, [...(map.get(key) ?? []), one])
  return { status: 201, json: { id: one.id } }
}

const number = (text: string | undefined): number => Number(text)

/** Below `/repos/{owner}/{repo}`: GitHub's routes that the service uses in walks. All else is 404. */
const routes: readonly Route[] = [
  route('GET', 'pulls/*', ({ repository, parts }) => {
    const pull = repository.pulls.get(number(parts[0]))
    return pull ? { json: pullJson(repository, pull) } : none
  }),
  route('GET', 'pulls/*/files', () => ({ json: [{ filename: 'notes/change.md', status: 'added' }] })),
  route('GET', 'pulls/*/reviews', () => ({ json: [] })),
  route('GET', 'contents/svc.yml', ({ repository }) => ({ text: repository.policy })),
  route('GET', 'git/commits/*', ({ parts }) => ({ json: { sha: parts[0], tree: { sha: parts[0] } } })),
  route('GET', 'collaborators/*/permission', ({ parts }) => ({
    json: { permission: 'write', user: { id: parts[0] === 'rob' ? 21 : 22 } },
  })),
  route('GET', 'activity', () => ({ json: [] })),
  route('GET', 'tags', () => ({ json: [] })),
  route('GET', 'commits/*/check-runs', ({ repository, parts }) => ({
    json: { check_runs: listed(repository.checkRuns, parts[0] ?? '') },
  })),
  route('POST', 'check-runs', ({ repository, body }) =>
    added(repository.checkRuns, body.head_sha, { id: newId(), name: body.name, external_id: body.external_id }),
  ),
  route('PATCH', 'check-runs/*', ({ parts }) => ({ json: { id: number(parts[0]) } })),
  route('GET', 'issues/*/comments', ({ repository, parts }) => ({
    json: listed(repository.comments, number(parts[0])),
  })),
  route('POST', 'issues/*/comments', ({ repository, parts, body }) =>
    added(repository.comments, number(parts[0]), {
      ...{ id: newId(), body: body.body, performed_via_github_app: { id: 1 } },
    }),
  ),
  route('PATCH', 'issues/comments/*', ({ parts }) => ({ json: { id: number(parts[0]) } })),
  route('POST', 'issues/comments/*/reactions', () => ({ status: 201, json: { id: newId() } })),
  route('POST', 'actions/workflows/*/dispatches', dispatch),
  route('GET', 'actions/workflows/*/runs', ({ repository }) => {
    const runs = [...repository.workflowRuns.values()].filter(
      ({ event, isUnlisted }) => event === 'workflow_dispatch' && !isUnlisted,
    )
    return { json: { workflow_runs: runs.map(runJson) } }
  }),
  route('GET', 'actions/runs/*', ({ repository, parts }) => {
    const run = repository.workflowRuns.get(number(parts[0]))
    return run ? { json: runJson(run) } : none
  }),
]

/** The answer of the first route that fits. */
export const answerOf = (method: string, path: string, asked: Omit<Asked, 'parts'>): Answered => {
  for (const { method: wanted, path: pattern, answer } of routes) {
    const found = method === wanted && pattern.exec(path)
    if (found) return answer({ ...asked, parts: found.slice(1).map(decodeURIComponent) })
  }
  return none
}

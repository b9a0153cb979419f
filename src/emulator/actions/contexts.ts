import type { RunnerHost, WorkflowRequest } from './contract.ts'
import type { ObjectValue, Value } from './expressions/value.ts'
import type { Workflow } from './workflow/schema.ts'

/** Number of the pull request or name of the branch in a ref. */
const shortRef = (ref: string): string => ref.replace(/^refs\/(heads|tags|pull)\//, '')

/**
 * The `github` context before a runner is known: no workspace, no event_path. Source: docs.github.com, 'Contexts reference',
 * github context. Ids and counters are strings there.
 */
export const githubContext = (request: WorkflowRequest, host: RunnerHost, workflow: Workflow): ObjectValue => {
  const repository = `${request.repo.owner}/${request.repo.name}`
  return {
    actor: request.actor,
    triggering_actor: request.actor,
    api_url: host.apiUrl,
    server_url: host.serverUrl,
    event: request.payload as ObjectValue,
    event_name: request.event,
    ref: request.ref,
    ref_name: shortRef(request.ref),
    ref_type: request.ref.startsWith('refs/tags/') ? 'tag' : 'branch',
    sha: request.sha,
    head_ref: request.headRef,
    base_ref: request.baseRef,
    repository,
    repository_id: String(request.repo.id),
    repository_owner: request.repo.owner,
    repository_owner_id: String(request.repo.ownerId),
    repositoryUrl: `git://${new URL(host.serverUrl).host}/${repository}.git`,
    run_id: String(request.id),
    run_number: String(request.number),
    run_attempt: String(request.attempt),
    workflow: workflow.name ?? request.workflowPath,
    workflow_ref: `${repository}/${request.workflowPath}@${request.ref}`,
    workflow_sha: request.sha,
  }
}

const inputValue = (type: string, text: string): Value => {
  if (type === 'boolean') return text === 'true'
  return type === 'number' ? Number(text) : text
}

/** The `inputs` context: the given values, then the file's defaults; booleans and numbers have their type. */
export const inputsContext = (request: WorkflowRequest, workflow: Workflow): ObjectValue => {
  const declared = workflow.on.workflow_dispatch?.inputs ?? {}
  return Object.fromEntries(
    Object.entries(declared).map(([name, { type, default: fallback }]) => [
      name,
      inputValue(type, request.inputs[name] ?? fallback ?? (type === 'boolean' ? 'false' : '')),
    ]),
  )
}

/** The environment's copy of the `github` context: GITHUB_SHA for `sha` and so on. */
const variablesOf = [
  ...['actor', 'triggering_actor', 'api_url', 'server_url', 'event_name', 'event_path', 'ref', 'ref_name', 'ref_type'],
  ...['sha', 'head_ref', 'base_ref', 'repository', 'repository_id', 'repository_owner', 'repository_owner_id'],
  ...['run_id', 'run_number', 'run_attempt', 'workflow', 'workflow_ref', 'workflow_sha', 'workspace', 'job'],
]

/**
 * Default environment variables of a step.
 * Source: docs.github.com, 'Variables reference', Default environment variables.
 */
export const defaultVariables = (github: ObjectValue, runner: ObjectValue): Record<string, string> => ({
  ...Object.fromEntries(variablesOf.map((name) => [`GITHUB_${name.toUpperCase()}`, String(github[name] ?? '')])),
  ...Object.fromEntries(Object.entries(runner).map(([name, value]) => [`RUNNER_${name.toUpperCase()}`, String(value)])),
  GITHUB_ACTIONS: 'true',
})

/**
 * Variables of the emulator's own process that a step gets too: enough to find programs and for Terraform's settings.
 * Everything else stays out, above all NODE_OPTIONS and the variables that a test runner sets for its own children.
 */
const inherited = /^(PATH|HOME|USER|LANG|LC_[A-Z]+|TZ|TMPDIR|SSL_CERT_(FILE|DIR)|TF_\w+|CHECKPOINT_DISABLE)$/

export const inheritedVariables = (own: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(own).flatMap(([name, value]) =>
      inherited.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  )

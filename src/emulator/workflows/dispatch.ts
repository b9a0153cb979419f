import { fillText } from '#emulator/actions/expressions/template.ts'
import { type Commit, readCommit, resolveCommit } from '#emulator/git/commits.ts'
import { readText } from '#emulator/git/tree.ts'
import type { Account, Repository, Workflow } from '#emulator/records.ts'
import { fullName } from '#emulator/store.ts'
import { sharedFields } from '#emulator/webhooks/pull-request-payload.ts'
import type { World } from '#emulator/world.ts'
import { recordDispatchedRun } from './record-run.ts'
import { startRun } from './start.ts'
import { type DispatchInput, readTrigger, type Trigger } from './trigger-of-file.ts'

/** GitHub counts the characters of the inputs as compact JSON (GitHub Docs, 'Workflow syntax', on.workflow_dispatch.inputs). */
const maxInputs = 65_535

export type Dispatch = { ref: string; inputs: Record<string, string>; actor: Account }

/** Why a workflow is not dispatched: GitHub's sentence, for a 422. */
export type DispatchRefusal = { refusal: string }

const noTrigger: DispatchRefusal = { refusal: "Workflow does not have 'workflow_dispatch' trigger" }

/** A branch or a tag, by its short or its full name, but no commit. */
const refNamed = async (repository: Repository, ref: string): Promise<{ ref: string; sha: string } | undefined> => {
  const candidates = ref.startsWith('refs/') ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`]
  for (const one of candidates.filter((name) => /^refs\/(heads|tags)\//.test(name))) {
    const sha = await resolveCommit(repository.gitDir, one)
    if (sha !== undefined) return { ref: one, sha }
  }
  return undefined
}

const inputRefusal = (
  declared: ReadonlyMap<string, DispatchInput>,
  given: Record<string, string>,
): string | undefined => {
  if (JSON.stringify(given).length > maxInputs) return 'inputs are too large.'
  const unexpected = Object.keys(given).filter((name) => !declared.has(name))
  if (unexpected.length > 0) return `Unexpected inputs provided: ${JSON.stringify(unexpected)}`
  for (const [name, input] of declared) {
    const value = given[name] ?? input.default ?? ''
    if (input.required && value === '') return `Required input '${name}' not provided`
    if (given[name] !== undefined && input.options && !input.options.includes(value)) {
      return `Provided value '${value}' for input '${name}' not in the list of allowed values`
    }
  }
  return undefined
}

/** `run-name` filled in; the workflow's name if there is none, or if it cannot be filled in. */
const titleOf = (trigger: Trigger, contexts: Parameters<typeof fillText>[1]['contexts'], name: string): string => {
  try {
    return (trigger.runName === undefined ? '' : fillText(trigger.runName, { contexts })) || name
  } catch {
    return name
  }
}

const contextsOf = (repository: Repository, head: Commit, dispatch: Dispatch, inputs: Record<string, string>) => ({
  github: {
    actor: dispatch.actor.login,
    event_name: 'workflow_dispatch',
    repository: fullName(repository),
    ref_name: dispatch.ref.replace(/^refs\/(heads|tags)\//, ''),
    sha: head.sha,
  },
  inputs,
  vars: repository.vars,
})

/**
 * Starts a workflow on the tip of a branch or tag, with the file as it is there. Returns the id of the run, or the reason
 * why there is none. Source: GitHub Docs, 'Create a workflow dispatch event'.
 */
export const dispatchWorkflow = async (
  world: World,
  workflow: Workflow,
  dispatch: Dispatch,
): Promise<{ runId: number } | DispatchRefusal> => {
  const { repository, path } = workflow
  if (workflow.disabled) return { refusal: "Cannot trigger a 'workflow_dispatch' on a disabled workflow" }
  const found = await refNamed(repository, dispatch.ref)
  if (!found) return { refusal: `No ref found for: ${dispatch.ref}` }
  // Without the file on the default branch GitHub does not know that it may be dispatched.
  const [usual, text] = await Promise.all(
    [`refs/heads/${repository.defaultBranch}`, found.ref].map((ref) => readText(repository.gitDir, ref, path)),
  )
  const trigger = text === undefined ? undefined : readTrigger(path, text)
  if (usual === undefined || text === undefined || !trigger?.dispatchInputs) return noTrigger
  const refusal = inputRefusal(trigger.dispatchInputs, dispatch.inputs)
  if (refusal !== undefined) return { refusal }
  if (world.faults.onDispatch(path)) return { runId: world.store.newId() }

  const defaults = [...trigger.dispatchInputs].map(([name, input]) => [name, input.default ?? ''])
  const inputs = { ...Object.fromEntries(defaults), ...dispatch.inputs }
  const head = await readCommit(repository.gitDir, found.sha)
  const name = trigger.name ?? path
  const payload = { ref: found.ref, workflow: path, inputs, ...sharedFields(world, repository, dispatch.actor) }
  const title = titleOf(trigger, contextsOf(repository, head, { ...dispatch, ref: found.ref }, inputs), name)
  const file = { path, name, text, payload, actor: dispatch.actor }
  const run = recordDispatchedRun(world, repository, file, { ref: found.ref, head, inputs: dispatch.inputs, title })
  startRun(world, run)
  return { runId: run.id }
}

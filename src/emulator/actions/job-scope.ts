import { defaultVariables, inheritedVariables } from './contexts.ts'
import type { RunnerHost, WorkflowRequest } from './contract.ts'
import type { Scope } from './expressions/evaluate.ts'
import type { ObjectValue, Value } from './expressions/value.ts'
import type { JobLog } from './job-log.ts'
import type { Grace } from './process-group.ts'
import type { Job, Workflow } from './workflow/schema.ts'

export type StepOutcome = 'success' | 'failure' | 'cancelled' | 'skipped'

export type StepResult = { outputs: Record<string, string>; outcome: StepOutcome; conclusion: StepOutcome }

/** One job on its runner: where it works, and its environment as its steps have changed it so far. */
export type JobScope = {
  host: RunnerHost
  request: WorkflowRequest
  workflow: Workflow
  job: Job
  log: JobLog
  grace: Grace
  /** GITHUB_WORKSPACE, RUNNER_TEMP, and the directory of the runner's own files for the job. */
  workspace: string
  temp: string
  control: string
  /** github, needs, inputs, vars, secrets, strategy, matrix and runner: the same for all steps. */
  contexts: Readonly<Record<string, Value>>
  /** `env` of workflow and job, and values that steps wrote to GITHUB_ENV. */
  env: Record<string, string>
  /** Directories that steps wrote to GITHUB_PATH, the latest first. */
  path: string[]
  /** The variables with which a step may ask for an OIDC token; empty without `id-token: write`. */
  identity: Record<string, string>
  steps: Record<string, StepResult>
  status: 'success' | 'failure' | 'cancelled'
}

/** Contexts and status functions as a step of the job sees them. */
export const stepScope = (
  scope: JobScope,
  env: Readonly<Record<string, string>> = {},
): Scope & { status: { success: boolean } } => ({
  contexts: {
    ...scope.contexts,
    env: { ...scope.env, ...env },
    steps: scope.steps,
    job: { status: scope.status },
  },
  status: {
    success: scope.status === 'success',
    failure: scope.status === 'failure',
    cancelled: scope.status === 'cancelled',
    always: true,
  },
})

const object = (value: Value | undefined): ObjectValue => (value ?? {}) as ObjectValue

/** The whole environment of a step's process; `files` are the variables of its command files. */
export const stepEnvironment = (
  scope: JobScope,
  env: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
): Record<string, string> => {
  const own: Record<string, string> = {
    ...inheritedVariables(process.env),
    CI: 'true',
    ...scope.host.env,
    ...scope.env,
    ...env,
  }
  const path = [...scope.path, ...scope.host.path, own.PATH ?? '/usr/local/bin:/usr/bin:/bin']
  const { NODE_OPTIONS: _, ...kept } = own
  return {
    ...kept,
    // A workflow cannot override anything below, as on GitHub.
    ...defaultVariables(object(scope.contexts.github), object(scope.contexts.runner)),
    ...scope.identity,
    ...files,
    PATH: path.join(':'),
  }
}

/*
 * The contract between the emulator and the engine that runs its workflows. The emulator decides what is triggered, keeps
 * the records of runs and jobs, stamps times, serves REST and sends webhooks; the engine reads the workflow, runs its jobs
 * and reports. The engine holds nothing that must outlive a run.
 */

/** Everything one workflow run starts with: GitHub's `github` context comes from these fields. */
export type WorkflowRequest = {
  /** github.run_id. Engine and emulator identify the run by it; a re-run keeps it and raises `attempt`. */
  id: number
  /** github.run_attempt, from 1. */
  attempt: number
  /** github.run_number, per workflow file. */
  number: number
  event: 'pull_request' | 'merge_group' | 'workflow_dispatch'
  repo: { id: number; owner: string; ownerId: number; name: string; defaultBranch: string }
  /** github.ref: refs/pull/N/merge, or refs/heads/<branch> for a dispatch. */
  ref: string
  /** github.sha: the merge commit of the pull request, or the tip of the branch; present in `gitDir`. */
  sha: string
  /** github.head_ref and github.base_ref: branch names, empty for a dispatch. */
  headRef: string
  baseRef: string
  /** github.event: the webhook's payload. */
  payload: Record<string, unknown>
  /** For a dispatch: all values are strings; defaults of the workflow are not filled in. */
  inputs: Record<string, string>
  /**
   * Outputs of jobs, by displayed name, that succeeded in an earlier attempt and that this one takes over ('Re-run failed
   * jobs').
   */
  kept?: Record<string, Record<string, string>>
  /** .github/workflows/x.yml and its text at the triggering commit. */
  workflowPath: string
  workflowText: string
  /** github.actor. */
  actor: string
  /** A bare repository to clone from; the engine only reads it. */
  gitDir: string
  /** The repository's Actions variables (context `vars`) and secrets (context `secrets`, masked in logs). */
  vars?: Record<string, string>
  secrets?: Record<string, string>
}

/** `waiting`: for the approval of an environment. */
export type RunStatus = 'queued' | 'waiting' | 'in_progress' | 'completed'
export type RunConclusion = 'success' | 'failure' | 'cancelled' | 'skipped' | 'timed_out' | 'startup_failure'
export type JobStatus = 'queued' | 'waiting' | 'in_progress' | 'completed'
export type JobConclusion = 'success' | 'failure' | 'cancelled' | 'skipped' | 'timed_out'

/**
 * A change of a run. The emulator has recorded it as queued before `start`; the engine reports in_progress once its first
 * job has a runner, then completed with a conclusion (startup_failure if the file cannot be read). Fields left out stay as
 * they are.
 */
export type RunUpdate = {
  id: number
  attempt: number
  status?: RunStatus
  conclusion?: RunConclusion
  /** The evaluated run-name; without one GitHub shows the pull request's title, which the emulator fills in. */
  displayTitle?: string
  /** With startup_failure: what is wrong with the workflow file, a problem a line. */
  problem?: string
}

/** A step as the jobs listing shows it; numbers from 1. */
export type StepRecord = {
  number: number
  name: string
  status: 'queued' | 'in_progress' | 'completed'
  conclusion: JobConclusion | null
}

/**
 * A job's current state, sent whole at each change; the first report of an id makes the record. A skipped job is reported
 * too.
 */
export type JobUpdate = {
  /** From `RunnerHost.newJobId`. */
  id: number
  runId: number
  attempt: number
  /** The displayed name: the job's `name` or key, matrix values in parentheses. */
  name: string
  status: JobStatus
  conclusion: JobConclusion | null
  labels: string[]
  steps: StepRecord[]
  /** Of a completed job. */
  outputs?: Record<string, string>
}

/** The job that asks for an OIDC token. */
export type JobIdentity = {
  id: number
  runId: number
  attempt: number
  /** The job's `environment`, if it has one. */
  environment?: string
  /** path@ref of the called reusable workflow; by default the run's own file. */
  jobWorkflowRef?: string
}

/** What the emulator gives an engine: its addresses, new ids, and callbacks for reports. */
export type RunnerHost = {
  /** github.server_url and github.api_url, without a slash at the end. */
  serverUrl: string
  apiUrl: string
  /** A directory of the engine for checkouts and runner temp; the owner of the emulator's data removes it. */
  workDir: string
  newJobId(): number
  /**
   * ACTIONS_ID_TOKEN_REQUEST_URL (has a query string already) and …_TOKEN for a job that has `id-token: write`; undefined if
   * GitHub grants none (a pull request from a fork). Valid until the job is reported completed.
   */
  tokenRequest(job: JobIdentity): { url: string; token: string } | undefined
  /**
   * Whether the job's environment lets it run, once somebody has decided; undefined if it needs no decision. Asked before
   * the job gets a runner; meanwhile the job is reported as `waiting`.
   */
  approval(job: JobIdentity): Promise<boolean> | undefined
  onRun(update: RunUpdate): void
  onJob(update: JobUpdate): void
  /** Output of a job's steps as it comes, in chunks of any size. */
  onLog(jobId: number, text: string): void
  /** Set in each step's environment; the workflow's own values win. */
  env: Record<string, string>
  /** Directories put before PATH, with the client and the planning tool. */
  path: string[]
}

export type RunningWorkflow = {
  id: number
  /** Resolves, never rejects, after the completed `onRun` was sent. */
  done: Promise<RunConclusion>
  /** Ends the run's processes; the run completes as cancelled. */
  cancel(): void
  /**
   * Takes a job's runner away: its processes get SIGKILL at once, no further step reports, and the job fails after
   * `failsAfterMs`, when the code host would notice. False if no such job has a runner.
   */
  killRunner(jobId: number, failsAfterMs: number): boolean
}

/** Runs workflows. The engine handles concurrency groups and cancel-in-progress: it sees all runs of the emulator. */
export type ActionsEngine = {
  start(request: WorkflowRequest): RunningWorkflow
  /** Cancels everything running and waits until no process of it is left. */
  close(): Promise<void>
}

export type CreateActionsEngine = (host: RunnerHost) => ActionsEngine

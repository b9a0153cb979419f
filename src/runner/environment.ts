import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a job, or a person's shell, gives the client. Values are trimmed; an empty one counts as unset. */
export type Environment = {
  /** All of it, for the programs that the client starts. */
  all: Readonly<Record<string, string>>
  /** Whether this is a job of GitHub Actions, whose log knows groups, annotations and masks. */
  isActions: boolean
  serviceUrl: string | undefined
  /** A person's or a program's key for the service's API. */
  apiKey: string | undefined
  /** Audience of the job's tokens; the service's address when unset. */
  audience: string | undefined
  /** Where a job asks for its OIDC token; absent without `id-token: write`, and for a pull request from a fork. */
  idToken: { url: string; token: string } | undefined
  runId: string | undefined
  /** Of a dispatched job: plan, apply or drift, the wave (`2`, or `2.1` of several dispatches), and the commit. */
  mode: string | undefined
  wave: string | undefined
  sha: string | undefined
  /** One entry of the job matrix, as JSON. */
  matrix: string | undefined
  /** Key of a stack. */
  stack: string | undefined
  isUnconfirmed: boolean
  tool: string | undefined
  /** Names of further variables whose values are masked. */
  masked: string[]
  workDir: string | undefined
  cacheDir: string
  temporaryDir: string
  github: {
    repository: string | undefined
    serverUrl: string | undefined
    runId: string | undefined
    runAttempt: string | undefined
    eventName: string | undefined
    eventPath: string | undefined
    /** A directory for the job alone. */
    runnerTemp: string | undefined
    /** The file that takes directories of programs for later steps, one a line. */
    path: string | undefined
    /** Files that a step writes its outputs and its summary to. */
    output: string | undefined
    stepSummary: string | undefined
  }
}

/** Reads the environment. No other file of the client does. */
export const readEnvironment = (own: NodeJS.ProcessEnv = process.env): Environment => {
  const text = (name: string): string | undefined => own[name]?.trim() || undefined
  const tokenUrl = text('ACTIONS_ID_TOKEN_REQUEST_URL')
  const token = text('ACTIONS_ID_TOKEN_REQUEST_TOKEN')
  const runnerTemp = text('RUNNER_TEMP')
  return {
    all: Object.fromEntries(
      Object.entries(own).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    isActions: text('GITHUB_ACTIONS') === 'true',
    serviceUrl: text('SVC_URL'),
    apiKey: text('SVC_API_KEY'),
    audience: text('SVC_AUDIENCE'),
    idToken: tokenUrl === undefined || token === undefined ? undefined : { url: tokenUrl, token },
    runId: text('SVC_RUN_ID'),
    mode: text('SVC_MODE'),
    wave: text('SVC_WAVE'),
    sha: text('SVC_SHA'),
    matrix: text('SVC_MATRIX'),
    stack: text('SVC_STACK'),
    isUnconfirmed: text('SVC_UNCONFIRMED') === 'true',
    tool: text('SVC_TOOL'),
    masked: (text('SVC_MASK') ?? '').split(/[\s,]+/).filter((name) => name !== ''),
    workDir: text('SVC_WORK_DIR') ?? (runnerTemp && join(runnerTemp, 'svc')),
    cacheDir: text('SVC_CACHE_DIR') ?? join(text('XDG_CACHE_HOME') ?? join(homedir(), '.cache'), 'svc'),
    temporaryDir: tmpdir(),
    github: {
      repository: text('GITHUB_REPOSITORY'),
      serverUrl: text('GITHUB_SERVER_URL'),
      runId: text('GITHUB_RUN_ID'),
      runAttempt: text('GITHUB_RUN_ATTEMPT'),
      eventName: text('GITHUB_EVENT_NAME'),
      eventPath: text('GITHUB_EVENT_PATH'),
      runnerTemp,
      path: text('GITHUB_PATH'),
      output: text('GITHUB_OUTPUT'),
      stepSummary: text('GITHUB_STEP_SUMMARY'),
    },
  }
}

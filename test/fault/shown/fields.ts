/*
 * The fields of requests, by schema, with the places where they are shown (docs/interface.md, docs/api.md). A place is what
 * somebody reads: an answer of the API, a check run, a comment. A sentence says why a field is shown nowhere.
 */

export type Place =
  | 'the run'
  | 'the row'
  | 'the plan text'
  | "the stack's check run"
  | 'the check run of a stack without a plan text'
  | "the verdict's check run"
  | 'the comment of the pull request'
  | 'the graph'
  | 'the answer to the upload'
  | 'the answer to the unlock'
  | 'the comment about the unlock'
  | 'the audit log'

/** A value that is found nowhere but where it is shown, and the places. */
export type Shown = { value: string; in: readonly Place[] }

type Fields = Readonly<Record<string, Shown | string>>

/** Marks whose values the story sends; each is in one field alone. */
export const mark = {
  summary: 'MARKsummary',
  details: 'MARKdetails',
  detailsUrl: 'https://details.example.com/MARK',
  address: (list: string): string => `terraform_data.MARK${list}`,
  planText: 'MARKplan',
  artifact: 'MARKartifact',
  jobUrl: 'https://jobs.example.com/MARK',
  error: 'MARKerror',
  unlockReason: 'MARKreason',
  stackReason: 'MARKstackreason',
  toolVersion: '1.91.7',
  module: 'acme/infra//modules/MARK',
}

const planned = (list: string): Shown => ({
  value: mark.address(list),
  in: ['the row', 'the check run of a stack without a plan text'],
})

/** What the story cannot choose. */
export type Given = { sha: string; baseSha: string; number: number }

export const fieldsOf = ({ sha, baseSha, number }: Given): Readonly<Record<string, Fields>> => ({
  CreateRunRequest: {
    repo: { value: 'acme/infra', in: ['the run'] },
    sha: { value: sha, in: ['the run'] },
    base_sha: { value: baseSha, in: ['the run'] },
    pr_number: { value: `"pr_number":${number}`, in: ['the run'] },
    mode: { value: '"mode":"plan"', in: ['the run'] },
    trigger: 'what a job may give is known by its token; a manual run shows it, which start-manual.test.ts proves',
    run_id: 'names the run',
    workflow_run_id: 'the token says it',
    workflow_run_attempt: 'the token says it',
    runner_timeout_hours: 'of manual runs: makes stacks unknown that report nothing for so long',
    stacks: 'of manual runs: start-manual.test.ts proves that they are the rows of the run',
  },
  GraphUploadRequest: {
    graph: { value: mark.module, in: ['the graph'] },
    changed_paths: { value: '"changed"', in: ['the row', 'the answer to the upload'] },
    base_sha: { value: baseSha, in: ['the run'] },
    config: { value: mark.toolVersion, in: ['the answer to the upload'] },
    stacks: 'restricts the run: resolve.test.ts proves it',
  },
  StackResult: {
    mode: { value: '"mode":"plan"', in: ['the run'] },
    status: { value: '"status":"failed"', in: ['the row'] },
    exit_code: { value: '77', in: ['the row', "the stack's check run", 'the comment of the pull request'] },
    has_changes: 'decides between planned and noop: result.test.ts proves it',
    summary: { value: '"adds":61', in: ['the row'] },
    plan_text: {
      value: mark.planText,
      in: ['the row', 'the plan text', "the stack's check run", 'the comment of the pull request'],
    },
    plan_artifact: { value: mark.artifact, in: ['the row'] },
    job_url: { value: mark.jobUrl, in: ['the row', "the stack's check run"] },
    tool: 'kept for the service: an apply by another tool is refused',
    tool_version: 'kept for the service: an apply by another version is refused',
    duration_ms: 'kept beside the report',
    backend: 'kept beside the report',
    truncated: { value: '"truncated":true', in: ['the row'] },
    error_text: { value: mark.error, in: ['the row', "the stack's check run", 'the comment of the pull request'] },
    unconfirmed: 'makes the status unconfirmed: result.test.ts proves it',
  },
  ReportedSummary: {
    adds: { value: '"adds":61', in: ['the row'] },
    changes: { value: '"changes":62', in: ['the row'] },
    destroys: { value: '"destroys":63', in: ['the row'] },
    replaces: { value: '"replaces":64', in: ['the row'] },
    imports: { value: '"imports":65', in: ['the row'] },
    moves: { value: '"moves":66', in: ['the row'] },
    output_changes: { value: '"output_changes":67', in: ['the row'] },
    added: planned('added'),
    changed: planned('changed'),
    destroyed: planned('destroyed'),
    replaced: planned('replaced'),
  },
  CheckVerdict: {
    status: { value: '"status":"warn"', in: ['the row'] },
    summary: { value: mark.summary, in: ['the row', "the verdict's check run"] },
    details: { value: mark.details, in: ["the verdict's check run"] },
    details_url: { value: mark.detailsUrl, in: ['the row', "the verdict's check run"] },
  },
  GateTrial: { config: 'decides the answer: gate-trial.test.ts proves it' },
  UnlockRequest: {
    repo: { value: 'acme/infra', in: ['the audit log'] },
    stack_key: { value: '"stack_key":"network"', in: ['the answer to the unlock'] },
    reason: {
      value: mark.unlockReason,
      in: ['the answer to the unlock', 'the comment about the unlock', 'the audit log'],
    },
    force_state: { value: '"force_state":true', in: ['the audit log'] },
    run_id: 'decides the answer: unlock-stack.test.ts proves it',
  },
  StackUnlockRequest: {
    reason: {
      value: mark.stackReason,
      in: ['the answer to the unlock', 'the comment about the unlock', 'the audit log'],
    },
    force_state: { value: '"force_state":true', in: ['the audit log'] },
    run_id: 'decides the answer: unlock-stack.test.ts proves it',
  },
})

/*
 * The metrics of docs/interface.md, 'Metrics' with their allowed contents: each name, its type, its labels, and the values that
 * a label may have. A regular expression describes values that come from outside and must follow templates.
 */

const modes = ['plan', 'apply', 'drift']

const runStatuses = ['planned', 'applied', 'failed', 'unconfirmed', 'superseded']

const stackStatuses = [...runStatuses, 'blocked', 'noop', 'unknown', 'skipped']

const triggers = ['pull_request', 'comment', 'push', 'schedule', 'rerequest', 'manual']

const results = ['ok', 'error', 'dead', 'ignored']

const events = [
  ...['ping', 'installation', 'installation_repositories', 'installation_target', 'github_app_authorization'],
  ...['repository', 'pull_request', 'pull_request_review', 'issue_comment', 'check_run', 'check_suite'],
  ...['workflow_run', 'workflow_job', 'push', 'create', 'delete', 'release', 'merge_group', 'other'],
]

const jobKinds = /^[a-z]+(_[a-z]+)*$/

const status = /^[1-5]\d\d$/

/** The pattern of one of our routes, never a path. */
const route = /^(\/[\w:*.-]*)+$|^other$/

const method = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'OTHER']

const githubRoute = /^(GET|POST|PATCH|PUT|DELETE) \/[\w/{}.-]*$|^other$/

type Values = readonly string[] | RegExp

type InterfaceMetric = {
  type: 'counter' | 'gauge' | 'histogram'
  labels?: Record<string, Values>
  buckets?: [number, number]
  /** It has no value where no replica is configured. */
  needsReplica?: true
}

/** Without the prefix `svc_`. `buckets`: the least and the greatest bound, in seconds, if the interface defines them. */
export const metricsOfTheInterface: Readonly<Record<string, InterfaceMetric>> = {
  runs_total: { type: 'counter', labels: { status: runStatuses, trigger: triggers, mode: modes } },
  stack_finished_total: { type: 'counter', labels: { mode: modes, status: stackStatuses } },
  stack_duration_seconds: { type: 'histogram', labels: { mode: modes }, buckets: [5, 7200] },
  dispatches_total: { type: 'counter', labels: { mode: modes, result: ['ok', 'error'] } },
  drifted_stacks: { type: 'gauge' },
  locks_held: { type: 'gauge' },
  history_stray_rows: { type: 'gauge' },
  history_months_due: { type: 'gauge' },
  commands_total: {
    type: 'counter',
    labels: { verb: ['plan', 'apply', 'unlock', 'help', 'other'], accepted: ['true', 'false'] },
  },
  webhook_received_total: { type: 'counter', labels: { event: events } },
  webhook_duplicates_total: { type: 'counter' },
  webhook_lag_seconds: { type: 'histogram', buckets: [0.01, 600] },
  events_processed_total: { type: 'counter', labels: { kind: events, result: results } },
  events_dead_total: { type: 'counter', labels: { kind: events } },
  jobs_processed_total: { type: 'counter', labels: { kind: jobKinds, result: results } },
  queue_depth: { type: 'gauge', labels: { queue: ['events', 'jobs'] } },
  scheduler_leader: { type: 'gauge' },
  web_info: { type: 'gauge', labels: { url: /^https?:\/\// } },
  clock_offset_seconds: { type: 'gauge' },
  replica_readable: { type: 'gauge', needsReplica: true },
  replica_lag_seconds: { type: 'gauge', needsReplica: true },
  github_requests_total: { type: 'counter', labels: { route: githubRoute, status: /^([1-5]\d\d|error)$/ } },
  github_request_duration_seconds: { type: 'histogram', labels: { route: githubRoute } },
  github_rate_limit_remaining: { type: 'gauge' },
  http_requests_total: { type: 'counter', labels: { route, method, status } },
  http_request_duration_seconds: { type: 'histogram', labels: { route, method } },
  build_info: { type: 'gauge', labels: { version: /./, commit: /./ } },
}

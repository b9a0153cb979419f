import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = {
  /** Everything in the text exposition format, and its content type. */
  expose(): Promise<{ contentType: string; text: string }>
  /** A request to this service; `route` is the pattern of a route, never a path. */
  httpRequest(request: { route: string | undefined; method: string; status: number; seconds: number }): void
  /** A delivery whose signature verified. */
  webhookReceived(event: string): void
  webhookDuplicate(): void
  /** From the receipt of a delivery to the end of its handling. */
  webhookHandled(seconds: number): void
  /** Attempts of requests to the code host; `route` is a method and the template of a path. */
  github: {
    request(route: string, status: string, seconds: number): void
    rateLimitRemaining(requests: number): void
  }
  /** Runs and stack rows that ended; `seconds` from the start of a stack row, null if it never started. */
  settled(settled: {
    runs: { status: string; mode: string; trigger: string }[]
    stacks: { mode: string; status: string; seconds: number | null }[]
  }): void
  /** A comment that asked for something; accepted if it was carried out. */
  commandTaken(verb: string, accepted: boolean): void
  /** An attempt to start a workflow. */
  dispatched(mode: string, result: 'ok' | 'error'): void
  locksHeld(locks: number): void
  driftedStacks(stacks: number): void
  /** Rows in no month's partition, and months that should be in the bucket. */
  historyStands(stands: { strayRows: number; monthsDue: number }): void
  /** Whether this instance runs the scheduled jobs. */
  schedulerLeader(leads: boolean): void
  /** Where the web interface is: dashboards link there. */
  servedAt(url: string): void
  /** How far this machine's clock is ahead of the database's. */
  clockAhead(ms: number): void
  /** The replica, if one is configured: whether it is read from, and how far it is behind, if that is known. */
  replicaSeen(seen: { isReadable: boolean; lagMs: number | undefined }): void
  eventProcessed(kind: string, result: 'ok' | 'error' | 'dead' | 'ignored'): void
  jobProcessed(kind: string, result: 'ok' | 'error' | 'dead' | 'ignored'): void
  /** The kinds of jobs: each shows 0 given-up jobs before the first one. */
  expectJobs(kinds: readonly string[]): void
  queueDepth(queue: string, depth: number): void
}

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * The metrics (docs/interface.md, 'Metrics') in a separate registry, with those of the process. Values from outside (event,
 * method, route) are limited to known ones: senders of requests must not be able to create series.
 */
export const createMetrics = (build: { version: string; commit: string }): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const make = makers(registry)
  make.gauge('build_info', 'Version and commit of this build; always 1', ['version', 'commit']).set(build, 1)
  const web = make.gauge('web_info', 'Where the web interface is, for links from dashboards; always 1', ['url'])
  return {
    servedAt: (url) => web.set({ url }, 1),
    expose: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    ...httpMetrics(make),
    ...webhookMetrics(make),
    ...githubMetrics(make),
    ...runMetrics(make),
    ...applyMetrics(make),
    ...queueMetrics(make),
  }
}

const makers = (registry: Registry) => {
  const options = <L extends string>(name: string, help: string, labelNames: readonly L[]) => ({
    name: `svc_${name}`,
    help,
    labelNames,
    registers: [registry],
  })
  return {
    counter: <L extends string>(name: string, help: string, labels: readonly L[] = []) =>
      new Counter<L>(options(name, help, labels)),
    gauge: <L extends string>(name: string, help: string, labels: readonly L[] = []) =>
      new Gauge<L>(options(name, help, labels)),
    histogram: <L extends string>(name: string, help: string, buckets: number[], labels: readonly L[] = []) =>
      new Histogram<L>({ ...options(name, help, labels), buckets }),
  }
}

type Make = ReturnType<typeof makers>

/** Series that alerts use exist before the first event: Prometheus sees no increase in a series that appears with 1. */
const startAtZero = <L extends string>(counter: Counter<L>, series: readonly Record<L, string>[]): void => {
  for (const labels of series) counter.inc(labels, 0)
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const httpMetrics = (make: Make): Pick<Metrics, 'httpRequest'> => {
  const total = make.counter('http_requests_total', 'Requests answered', ['route', 'method', 'status'])
  const duration = make.histogram('http_request_duration_seconds', 'Time to the end of an answer', requestBuckets, [
    'route',
    'method',
  ])
  return {
    httpRequest: (request) => {
      const labels = {
        route: request.route ?? 'other',
        method: knownMethods.has(request.method) ? request.method : 'OTHER',
      }
      total.inc({ ...labels, status: request.status })
      duration.observe(labels, request.seconds)
    },
  }
}

/** Events that the app subscribes to, or gets without subscribing (GitHub Docs, 'Webhook events and payloads'). */
const knownEvents = new Set([
  ...['ping', 'installation', 'installation_repositories', 'installation_target', 'github_app_authorization'],
  ...['repository', 'pull_request', 'pull_request_review', 'issue_comment', 'check_run', 'check_suite'],
  ...['workflow_run', 'workflow_job', 'push', 'create', 'delete', 'release', 'merge_group'],
])

const orOther = (value: string, known: ReadonlySet<string>): string => (known.has(value) ? value : 'other')

const lagBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600]

const webhookMetrics = (make: Make): Pick<Metrics, 'webhookReceived' | 'webhookDuplicate' | 'webhookHandled'> => {
  const received = make.counter('webhook_received_total', 'Deliveries whose signature verified', ['event'])
  const duplicates = make.counter('webhook_duplicates_total', 'Deliveries that were queued already')
  const lag = make.histogram('webhook_lag_seconds', 'From receipt of a delivery to the end of its handling', lagBuckets)
  return {
    webhookReceived: (event) => received.inc({ event: orOther(event, knownEvents) }),
    webhookDuplicate: () => duplicates.inc(),
    webhookHandled: (seconds) => lag.observe(seconds),
  }
}

const githubMetrics = (make: Make): Pick<Metrics, 'github'> => {
  const total = make.counter('github_requests_total', 'Requests to the code host, every attempt', ['route', 'status'])
  const duration = make.histogram('github_request_duration_seconds', 'Time to its answer', requestBuckets, ['route'])
  const remaining = make.gauge('github_rate_limit_remaining', 'Requests left, by the latest answer')
  return {
    github: {
      request: (template, status, seconds) => {
        // page links of lists are absolute addresses with cursors: they are no template, so no label
        const route = /^[A-Z]+ \//.test(template) ? template : 'other'
        total.inc({ route, status })
        duration.observe({ route }, seconds)
      },
      rateLimitRemaining: (requests) => remaining.set(requests),
    },
  }
}

const stackBuckets = [5, 10, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200]

const runMetrics = (make: Make): Pick<Metrics, 'settled'> => {
  const total = make.counter('runs_total', 'Runs that ended', ['status', 'trigger', 'mode'])
  const finished = make.counter('stack_finished_total', 'Stack rows that ended', ['mode', 'status'])
  startAtZero(finished, [{ mode: 'apply', status: 'unknown' }])
  const duration = make.histogram('stack_duration_seconds', 'From start to end of a stack row', stackBuckets, ['mode'])
  return {
    settled: ({ runs, stacks }) => {
      for (const { status, trigger, mode } of runs) total.inc({ status, trigger, mode })
      for (const { mode, status, seconds } of stacks) {
        finished.inc({ mode, status })
        if (seconds !== null) duration.observe({ mode }, seconds)
      }
    },
  }
}

const knownVerbs = new Set(['plan', 'apply', 'unlock', 'help'])

const applyMetrics = (
  make: Make,
): Pick<
  Metrics,
  | 'commandTaken'
  | 'dispatched'
  | 'locksHeld'
  | 'driftedStacks'
  | 'historyStands'
  | 'schedulerLeader'
  | 'clockAhead'
  | 'replicaSeen'
> => {
  const commands = make.counter('commands_total', 'Comments that asked for something', ['verb', 'accepted'])
  const dispatches = make.counter('dispatches_total', 'Attempts to start a workflow', ['mode', 'result'])
  for (const mode of ['plan', 'apply', 'drift']) startAtZero(dispatches, [{ mode, result: 'error' }])
  const held = make.gauge(
    'locks_held',
    'Stacks that are locked; each instance shows all of them: take the maximum, not the sum',
  )
  const drifted = make.gauge('drifted_stacks', 'Stacks that had drifted at their last check; the same on each instance')
  const stray = make.gauge('history_stray_rows', 'Rows whose month has no partition; the same on each instance')
  const due = make.gauge(
    'history_months_due',
    'Months that are older than history is kept, and are still in the database; the same on each instance',
  )
  const leader = make.gauge('scheduler_leader', 'Whether this instance runs the scheduled jobs: 1 or 0')
  const readable = make.gauge('replica_readable', 'Whether lists are read from the replica: 1 or 0')
  const behind = make.gauge('replica_lag_seconds', 'How far the replica is behind, when it was last seen')
  // Where no replica is configured neither has a value: an alert for 0 would never end.
  for (const gauge of [readable, behind]) gauge.remove()
  const clock = make.gauge('clock_offset_seconds', "How far this machine's clock is ahead of the database's")
  return {
    commandTaken: (verb, accepted) => commands.inc({ verb: orOther(verb, knownVerbs), accepted: String(accepted) }),
    dispatched: (mode, result) => dispatches.inc({ mode, result }),
    locksHeld: (locks) => held.set(locks),
    driftedStacks: (stacks) => drifted.set(stacks),
    historyStands: ({ strayRows, monthsDue }) => {
      stray.set(strayRows)
      due.set(monthsDue)
    },
    schedulerLeader: (leads) => leader.set(Number(leads)),
    clockAhead: (ms) => clock.set(ms / 1000),
    replicaSeen: ({ isReadable, lagMs }) => {
      readable.set(Number(isReadable))
      if (lagMs !== undefined) behind.set(lagMs / 1000)
    },
  }
}

const queueMetrics = (make: Make): Pick<Metrics, 'eventProcessed' | 'jobProcessed' | 'expectJobs' | 'queueDepth'> => {
  const events = make.counter('events_processed_total', 'Attempts at queued deliveries', ['kind', 'result'])
  const dead = make.counter('events_dead_total', 'Deliveries given up after the last attempt', ['kind'])
  const jobs = make.counter('jobs_processed_total', 'Attempts at queued jobs', ['kind', 'result'])
  const depth = make.gauge(
    'queue_depth',
    'Rows that wait or run; each instance shows all of them: take the maximum, not the sum',
    ['queue'],
  )
  startAtZero(
    dead,
    [...knownEvents, 'other'].map((kind) => ({ kind })),
  )
  return {
    eventProcessed: (event, result) => {
      const kind = orOther(event, knownEvents)
      events.inc({ kind, result })
      if (result === 'dead') dead.inc({ kind })
    },
    jobProcessed: (kind, result) => jobs.inc({ kind, result }),
    expectJobs: (kinds) =>
      startAtZero(
        jobs,
        kinds.map((kind) => ({ kind, result: 'dead' })),
      ),
    queueDepth: (queue, rows) => depth.set({ queue }, rows),
  }
}

type Panel = {
  title: string
  says: string
  type: 'stat' | 'timeseries'
  unit: string
  queries: readonly (readonly [expr: string, legend: string])[]
  /** The page of the web interface that says which ones. */
  page?: keyof typeof pages
}

/** Pages of the web interface that the dashboard leads to. */
const pages = {
  '/': 'Overview',
  '/runs': 'Runs',
  '/locks': 'Locks',
  '/drift': 'Drift',
  '/queue': 'Queue',
} as const

const pageNames = Object.keys(pages) as (keyof typeof pages)[]

const stat = (title: string, says: string, expr: string, legend = ''): Panel => ({
  ...{ title, says, type: 'stat', unit: 'short' },
  queries: [[expr, legend]],
})

const graph = (title: string, says: string, unit: string, queries: Panel['queries']): Panel => ({
  ...{ title, says, type: 'timeseries', unit, queries },
})

const rate = (metric: string, by: string): string => `sum by (${by}) (rate(${metric}[$__rate_interval]))`

const quantile = (share: number, metric: string, by = ''): string =>
  `histogram_quantile(${share}, sum by (${by === '' ? 'le' : `le, ${by}`}) (rate(${metric}_bucket[$__rate_interval])))`

/** What an operator looks at, from the question 'does it work' to the question 'what takes so long'. */
const rows: Readonly<Record<string, readonly Panel[]>> = {
  Now: [
    stat('Instances', 'Processes that are scraped, by version.', 'count by (version) (svc_build_info)', '{{version}}'),
    stat(
      'Leader',
      'Instances that run the scheduled jobs; anything but 1 for long is wrong.',
      'sum(svc_scheduler_leader)',
    ),
    {
      ...stat(
        'Clock',
        'How far the clock of a machine is off; beyond 5 s it is not ready.',
        'max(abs(svc_clock_offset_seconds))',
      ),
      unit: 's',
    },
    {
      ...stat('Locked stacks', 'Stacks that a pull request or a manual run holds.', 'max(svc_locks_held)'),
      page: '/locks',
    },
    {
      ...stat('Drifted stacks', 'Stacks whose newest drift check found a difference.', 'max(svc_drifted_stacks)'),
      page: '/drift',
    },
    {
      ...stat(
        'Given up, 24 h',
        'Deliveries and jobs that failed for the last time.',
        `sum(increase(svc_events_dead_total[24h])) + sum(increase(svc_jobs_processed_total{result="dead"}[24h]))`,
      ),
      page: '/queue',
    },
    stat('Requests left', 'Of the hour, at the code host.', 'min(svc_github_rate_limit_remaining)'),
  ],
  Runs: [
    graph('Runs that ended', 'By mode and how.', 'ops', [
      [rate('svc_runs_total', 'mode, status'), '{{mode}} {{status}}'],
    ]),
    graph('What started them', 'By trigger.', 'ops', [[rate('svc_runs_total', 'trigger'), '{{trigger}}']]),
    graph('Stacks that ended', 'By mode and how.', 'ops', [
      [rate('svc_stack_finished_total', 'mode, status'), '{{mode}} {{status}}'],
    ]),
    graph('How long a stack takes', 'Median and 95th percentile, from its start.', 's', [
      [quantile(0.5, 'svc_stack_duration_seconds', 'mode'), '{{mode}} median'],
      [quantile(0.95, 'svc_stack_duration_seconds', 'mode'), '{{mode}} 95 %'],
    ]),
    graph('Workflows started', 'Attempts, by mode and result.', 'ops', [
      [rate('svc_dispatches_total', 'mode, result'), '{{mode}} {{result}}'],
    ]),
    graph('Comment commands', 'By verb, and whether it was carried out.', 'ops', [
      [rate('svc_commands_total', 'verb, accepted'), '{{verb}} accepted={{accepted}}'],
    ]),
  ],
  Queue: [
    graph('Rows that wait or run', 'Refreshed each minute.', 'short', [
      ['max by (queue) (svc_queue_depth)', '{{queue}}'],
    ]),
    graph('Deliveries handled', 'Attempts, by event and result.', 'ops', [
      [rate('svc_events_processed_total', 'kind, result'), '{{kind}} {{result}}'],
    ]),
    graph('Jobs done', 'Attempts, by kind and result.', 'ops', [
      [rate('svc_jobs_processed_total', 'kind, result'), '{{kind}} {{result}}'],
    ]),
    graph('From webhook to done', 'Median and 95th percentile.', 's', [
      [quantile(0.5, 'svc_webhook_lag_seconds'), 'median'],
      [quantile(0.95, 'svc_webhook_lag_seconds'), '95 %'],
    ]),
    graph('Webhooks received', 'By event, and those that came twice.', 'ops', [
      [rate('svc_webhook_received_total', 'event'), '{{event}}'],
      ['sum(rate(svc_webhook_duplicates_total[$__rate_interval]))', 'duplicates'],
    ]),
  ],
  'API and code host': [
    graph('Requests answered', 'By status.', 'reqps', [[rate('svc_http_requests_total', 'status'), '{{status}}']]),
    graph('Slowest routes', '95th percentile.', 's', [
      [`topk(8, ${quantile(0.95, 'svc_http_request_duration_seconds', 'route, method')})`, '{{method}} {{route}}'],
    ]),
    graph('Requests to the code host', 'Every attempt, by status.', 'reqps', [
      [rate('svc_github_requests_total', 'status'), '{{status}}'],
    ]),
    graph('Slowest requests to the code host', '95th percentile.', 's', [
      [`topk(8, ${quantile(0.95, 'svc_github_request_duration_seconds', 'route')})`, '{{route}}'],
    ]),
    graph('Memory', 'Resident, by instance.', 'bytes', [
      ['process_resident_memory_bytes and on (instance) svc_build_info', '{{instance}}'],
    ]),
    graph('Event loop', '99th percentile of its delay, by instance.', 's', [
      ['nodejs_eventloop_lag_p99_seconds and on (instance) svc_build_info', '{{instance}}'],
    ]),
    graph('History', 'Months that should be in the bucket; rows that are in no month.', 'short', [
      ['max(svc_history_months_due)', 'months due'],
      ['max(svc_history_stray_rows)', 'rows in no month'],
    ]),
    graph('Replica', 'How far it is behind; instances that leave it alone, where there is one.', 's', [
      ['max(svc_replica_lag_seconds)', 'behind'],
      ['count(svc_replica_readable == 0)', 'instances that leave it alone'],
    ]),
  ],
}

const columns = 24

/** Panels side by side, wrapped, under the heading of their row. */
const placed = (title: string, panels: readonly Panel[], top: number) => {
  const [width, height] = panels[0]?.type === 'stat' ? [4, 4] : [8, 8]
  const perLine = columns / width
  const heading = { type: 'row', title, collapsed: false, gridPos: { h: 1, w: columns, x: 0, y: top } }
  const shown = panels.map(({ title, says, type, unit, queries, page }, index) => ({
    ...{ type, title, description: says, datasource },
    ...(page === undefined ? {} : { links: [linkTo(page)] }),
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: type === 'stat' ? { textMode: 'auto', colorMode: 'none' } : { legend: { displayMode: 'list' } },
    gridPos: { h: height, w: width, x: (index % perLine) * width, y: top + 1 + Math.floor(index / perLine) * height },
    targets: queries.map(([expr, legendFormat], at) => ({ refId: 'ABC'[at], expr, legendFormat, datasource })),
  }))
  return { panels: [heading, ...shown], height: 1 + Math.ceil(panels.length / perLine) * height }
}

const datasource = { type: 'prometheus', uid: '$datasource' }

/** The address as the service itself says it: with `:raw`, Grafana leaves its colon and slashes as they are. */
const linkTo = (page: keyof typeof pages) => ({
  title: pages[page],
  url: `\${svc:raw}${page}`,
  targetBlank: true,
})

const variables = [
  { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' },
  {
    ...{ name: 'svc', type: 'query', label: 'Links lead to', datasource },
    ...{ query: 'label_values(svc_web_info, url)', refresh: 1, sort: 1 },
  },
]

/** The dashboard as Grafana imports it (Grafana documentation, 'Dashboard JSON model'). */
export const dashboard = (): object => {
  let top = 0
  const panels = Object.entries(rows).flatMap(([title, row]) => {
    const made = placed(title, row, top)
    top += made.height
    return made.panels
  })
  return {
    title: 'svc',
    uid: 'svc-overview',
    tags: ['svc'],
    schemaVersion: 39,
    editable: true,
    refresh: '1m',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: variables },
    links: pageNames.map((page) => ({ type: 'link', icon: 'external link', ...linkTo(page) })),
    panels: panels.map((panel, index) => ({ id: index + 1, ...panel })),
  }
}

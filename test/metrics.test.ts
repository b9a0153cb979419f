import t from 'tap'
import { createMetrics } from '#metrics.ts'

t.test('values from outside make no new series', async (t) => {
  const metrics = createMetrics({ version: 'v', commit: 'c' })
  metrics.github.request('GET /repos/{owner}/{repo}', '200', 0.1)
  metrics.github.request('GET https://api.example.com/repositories?page=2', '200', 0.1)
  metrics.github.rateLimitRemaining(4999)
  metrics.webhookReceived('made_up')
  metrics.webhookHandled(0.2)
  metrics.eventProcessed('made_up', 'dead')
  metrics.jobProcessed('publish_run', 'ok')
  metrics.queueDepth('jobs', 3)
  metrics.settled({
    runs: [{ status: 'planned', trigger: 'pull_request', mode: 'plan' }],
    stacks: [
      { mode: 'plan', status: 'planned', seconds: 7 },
      { mode: 'plan', status: 'skipped', seconds: null },
    ],
  })
  const { text } = await metrics.expose()
  const lines = text.split('\n').filter((line) => /^svc_.* /.test(line))
  for (const line of [
    'svc_github_requests_total{route="GET /repos/{owner}/{repo}",status="200"} 1',
    'svc_github_requests_total{route="other",status="200"} 1',
    'svc_github_rate_limit_remaining 4999',
    'svc_webhook_received_total{event="other"} 1',
    'svc_webhook_lag_seconds_bucket{le="0.01"} 0',
    'svc_webhook_lag_seconds_bucket{le="600"} 1',
    'svc_events_processed_total{kind="other",result="dead"} 1',
    'svc_events_dead_total{kind="other"} 1',
    'svc_jobs_processed_total{kind="publish_run",result="ok"} 1',
    'svc_queue_depth{queue="jobs"} 3',
    'svc_runs_total{status="planned",trigger="pull_request",mode="plan"} 1',
    'svc_stack_finished_total{mode="plan",status="skipped"} 1',
    'svc_stack_duration_seconds_bucket{le="5",mode="plan"} 0',
    'svc_stack_duration_seconds_bucket{le="10",mode="plan"} 1',
    'svc_stack_duration_seconds_bucket{le="7200",mode="plan"} 1',
    'svc_stack_duration_seconds_count{mode="plan"} 1',
  ]) {
    t.ok(lines.includes(line), line)
  }
})

import t from 'tap'
import { z } from 'zod'
import { addJobs } from '#db/queue/jobs.ts'
import { sql } from '#db/sql.ts'
import type { PullRequestHandle } from '#emulator/handles.ts'
import { makeJob } from '#jobs/job.ts'
import { type PlayedJob, playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'

const stacks = ['network', 'cluster', 'app'].map((key) => ({ key, path: key }))
const dependsOn = (from: string, to: string) => ({
  from: { kind: 'stack', key: from },
  to: { kind: 'stack', key: to },
  type: 'depends_on',
})
const graph = { stacks, edges: [dependsOn('cluster', 'network'), dependsOn('app', 'cluster')] }

const world = await startWorld(t, { files: { 'network/main.tf': '# network\n' } })
const { github, pool } = world

let pulls = 0

/** A pull request with a run of three stacks being planned, and shown as that. */
const planning = async () => {
  pulls += 1
  const pull = await github.openPullRequest({
    repo: 'acme/infra',
    branch: `change-${pulls}`,
    title: 'Change',
    author: 'ada',
    changes: { 'network/main.tf': `# ${pulls}\n` },
  })
  const job = playJob(world, pull)
  const runId = await opened(job)
  await world.settled()
  return { pull, job, runId }
}

const opened = async (job: PlayedJob): Promise<string> => {
  const { run_id: runId } = (await job.open()).body
  await job.upload(runId, { graph, changed_paths: ['network/main.tf'] })
  return runId
}

const publish = async (runId: string): Promise<void> => {
  const { installation_id: id } = await pool.one(sql.type(z.object({ installation_id: z.number() }))`
    select installation_id from repositories limit 1`)
  await addJobs(pool, [makeJob('publish_run', { run_id: runId }, { installationId: id, cause: null })])
  await world.settled()
}

/** What was sent meanwhile for a pull request, except for tokens: `PATCH svc/plan` for a check run, by its name. */
const sentDuring = async (pull: PullRequestHandle, work: () => Promise<unknown>): Promise<string[]> => {
  const before = github.requests.length
  await work()
  await world.settled()
  const names = new Map(pull.checkRuns().map((check) => [String(check.id), check.name]))
  return github.requests
    .slice(before)
    .filter((request) => !request.route.endsWith('/access_tokens'))
    .map(({ method, path }) => {
      const [, kind, id] = /\/(check-runs|comments)\/(\d+)$/.exec(path) ?? []
      return `${method} ${kind === 'comments' ? 'comment' : (names.get(id ?? '') ?? path)}`
    })
    .sort()
}

t.test('only changes are sent, and nothing if nothing changed', async (t) => {
  const { pull, job, runId } = await planning()
  t.same(await sentDuring(pull, () => publish(runId)), [])
  t.same(await sentDuring(pull, () => job.report(runId, 'network')), [
    'PATCH comment',
    'PATCH svc/plan',
    'PATCH svc/plan: network',
  ])
})

t.test('a comment that a person deleted is made again, and there is only one', async (t) => {
  const { pull, job, runId } = await planning()
  const [first] = pull.comments()
  pull.deleteComment(first?.id ?? 0, 'grace')
  await job.report(runId, 'network')
  await world.settled()
  const [second, ...more] = pull.comments()
  t.same(more, [])
  t.not(second?.id, first?.id)
  t.match(second?.body, /1 of 3/)
  await job.report(runId, 'cluster')
  await world.settled()
  t.same(
    pull.comments().map((comment) => comment.id),
    [second?.id],
    'edited from then on',
  )
})

t.test('what a worker created before it died is found, not doubled', async (t) => {
  const { pull, job, runId } = await planning()
  const made = () => pull.checkRuns().map(({ id, name, externalId }) => ({ id, name, externalId }))
  const before = { checks: made(), comments: pull.comments().map((comment) => comment.id) }
  t.equal(before.checks.length, 5)
  await pool.query(sql.unsafe`delete from check_runs where run_id = ${runId} and name <> 'svc/resolve'`)
  await pool.query(sql.unsafe`
    update pull_requests set comment_id = null, comment_digest = null where number = ${pull.number}`)
  await publish(runId)
  t.same({ checks: made(), comments: pull.comments().map((comment) => comment.id) }, before)
  for (const key of ['network', 'cluster', 'app']) await job.report(runId, key)
  await world.settled()
  t.same(made(), before.checks)
  t.ok(pull.checkRuns().every((check) => check.conclusion === 'success'))
  t.equal(pull.comments().length, 1)
})

t.test("a superseded run's check runs end as cancelled, and the comment shows the newer run", async (t) => {
  const { pull, job, runId } = await planning()
  const old = pull.headSha()
  await job.report(runId, 'network')
  await pull.push({ 'network/main.tf': '# newer\n' })
  const newer = await opened(playJob(world, pull))
  await world.settled()
  t.same(
    Object.fromEntries(pull.checkRuns(old).map((check) => [check.name, check.conclusion])),
    {
      'svc/resolve': 'success',
      'svc/plan': 'cancelled',
      'svc/plan: network': 'success',
      'svc/plan: cluster': 'cancelled',
      'svc/plan: app': 'cancelled',
    },
    'what was planned before stays planned',
  )
  t.ok(pull.checkRuns().every((check) => check.status !== 'completed' || check.name === 'svc/resolve'))
  const [comment, ...more] = pull.comments()
  t.same(more, [])
  t.ok(comment?.body.includes(newer))
  t.notOk(comment?.body.includes(runId))
  await publish(runId)
  t.ok(pull.comments()[0]?.body.includes(newer), 'also when the older one is published again')
})

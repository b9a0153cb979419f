import t from 'tap'
import { systemClock } from '#clock.ts'
import { addJobs } from '#db/queue/jobs.ts'
import { changeTimers } from '#db/queue/timers.ts'
import { movedRepositories, moveRepository } from '#db/repositories/move-repository.ts'
import { checkRunsOf, putCheckRun } from '#db/runs/sent-check-runs.ts'
import { ofInstallation } from '#db/tenant.ts'
import { transact } from '#db/transact.ts'
import { makeJob } from '#jobs/job.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { openDatabase } from '#test/helpers/open-database.ts'
import { seedRepository, seedRun } from '#test/helpers/seed.ts'
import { until } from '#test/helpers/until.ts'
import { tenantTables } from '#test/scenes/divided.ts'

const { pool, client, isAnyoneHeld } = await openDatabase(t)
const rows = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows

/** Tables of an installation's rows, but for those that are no repository's. */
const tables = [...(await tenantTables(client)), 'repositories']
  .filter((name) => !['content_writes', 'jobs'].includes(name))
  .sort()

/** What a repository that was in use for a while has in each of them. */
const used = async (): Promise<{ runId: string }> => {
  await seedRepository(pool)
  const runtime = createRuntime({ pool, clock: systemClock })
  const { runId } = await seedRun(pool, runtime, { mode: 'apply', waves: [['a'], ['b']] })
  await runtime.send({
    ...{ to: { kind: 'stack', runId, key: 'a' }, actor: 'test', document: () => ({ body: result, plan_text: null }) },
    event: { type: 'result.reported', outcome: 'changes', digest: 'a' },
  })
  const timer = { event: { type: 'runner.lost' }, due_at: new Date() }
  await transact(ofInstallation(pool, 1), (tx) =>
    changeTimers(tx, [
      { kind: 'stack', id: `${runId}:${runId}`, name: 'test', set: timer },
      { kind: 'lock', id: runId, name: 'of another repository', set: timer },
    ]),
  )
  await client.query(`
    insert into installations (id, account_id, account_login, account_type) values (2, 2, 'other', 'Organization');
    insert into pull_requests (installation_id, repo_id, number, state, head_sha, base_ref, base_sha, author, read_at)
      values (1, 1, 1, 'open', 'a', 'main', 'b', 'ada', now());
    insert into comment_commands (installation_id, repo_id, comment_id, pr_number, verb, actor, at) values (1, 1, 1, 1, 'plan', 'ada', now());
    insert into graphs (installation_id, id, repo_id, sha, tree_hash, body) values (1, gen_random_uuid(), 1, 'a', 'b', '{}');
    update repositories set default_graph_id = (select id from graphs limit 1), listed_graph_id = (select id from graphs limit 1);
    update runs set graph_id = (select id from graphs limit 1), rerun_of = id;
    insert into external_edges (installation_id, stack_id, repo_id, upstream, upstream_repo, upstream_key, type)
      select 1, id, 1, 'o/r//x', 'o/r', 'x', 'depends_on' from stacks;
    insert into drift_checks (installation_id, stack_id, run_id, drifted, checked_at) select 1, s.id, r.id, true, now() from stacks s, runs r;
    insert into drift_states (installation_id, stack_id, repo_id, run_id, drifted, checked_at)
      select 1, s.id, 1, r.id, true, now() from stacks s, runs r;
    insert into drift_issues (installation_id, stack_id, repo_id, wanted_at) select 1, id, 1, now() from stacks;
    insert into cross_repo_plans (installation_id, upstream_run_id, upstream_stack_id, repo_id, run_id)
      select 1, gen_random_uuid(), gen_random_uuid(), 1, id from runs;
    insert into dispatches (installation_id, id, run_id, wave, part, stack_ids, state, snapshot, version, seq, created_at)
      select 1, gen_random_uuid(), id, 0, 0, '{}', 'awaiting', '{}', 1, 0, now() from runs;
    insert into gate_decisions (installation_id, run_id, decided_at, facts) select 1, id, now(), '[]' from runs;
    insert into checks (installation_id, run_id, stack_id, name, status, updated_at)
      select 1, r.id, s.id, 'cost', 'pass', now() from runs r, stacks s;
    insert into check_runs (installation_id, run_id, name, check_run_id, digest) select 1, id, 'svc/apply', 1, 'd' from runs;
    insert into publications (installation_id, run_id, next_at) select 1, id, now() from runs;
    insert into archived_runs (installation_id, run_id, rev, url, start, bytes, hash, rows) select 1, id, 0, 's3://a', 0, 1, 'h', '{}' from runs;
    insert into archived_stacks (installation_id, stack_id, mode, created_at, run_id, status) select 1, s.id, 'apply', now(), r.id, 'failed'
      from stacks s, runs r;
    insert into run_counts (installation_id, repo_id, status, runs) values (1, 1, 'failed', 1);
    insert into stack_counts (installation_id, repo_id, status, stacks) values (1, 1, 'failed', 1);
    insert into stack_count_changes (installation_id, repo_id, status, change) values (1, 1, 'failed', 1);
    insert into audit (installation_id, actor, action, target, details) values (1, 'ada', 'unlock', 'acme/infra//a', '{"repo": "acme/infra"}');
    insert into modules (installation_id, id, key, kind) values (1, gen_random_uuid(), 'acme/infra//m', 'local');
    insert into module_listings (installation_id, module_id, repo_id) select 1, id, 1 from modules;
    insert into module_consumers (installation_id, module_id, stack_id, repo_id, ref) select 1, m.id, s.id, 1, 'v1' from modules m, stacks s;
    insert into module_tags (installation_id, repo_id, tag, sha) values (1, 1, 'v1', 'a');
    insert into module_versions (installation_id, module_id, precedence, repo_id, tag, counts, newer) select 1, id, '1', 1, 'v1', true, 0 from modules`)
  return { runId }
}

const result = { mode: 'apply' as const, status: 'success' as const }

const countsOf = async (installation: number): Promise<Record<string, number>> => {
  const counts: [string, number][] = []
  for (const name of tables) {
    const [row] = await rows(`select count(*)::int as n from ${name} where installation_id = $1`, [installation])
    counts.push([name, row.n])
  }
  return Object.fromEntries(counts.filter(([, n]) => n > 0))
}

t.test('a repository that changes hands takes every row along', async (t) => {
  const { runId } = await used()
  const before = await countsOf(1)
  t.same(Object.keys(before), tables, 'there is something of it in every table of the schema')
  const host = [{ id: 1, installation_id: 2 }]
  const [moved, ...others] = await movedRepositories(pool, host)
  t.same([moved, others], [{ id: 1, installation_id: 1, to: 2 }, []])
  await transact(pool, (tx) => moveRepository(tx, moved!))
  // modules are an installation's own, and found again by the jobs
  const { module_consumers: _, module_listings: __, module_versions, modules, ...rest } = before
  t.same(await countsOf(2), { ...rest, timers: (before.timers ?? 0) - 1 })
  t.same(await countsOf(1), { module_versions, modules, timers: 1 }, 'the timer of a lock of another repository stays')
  t.same(
    await rows('select kind, installation_id from jobs where kind in ($1, $2) order by 1', [
      'index_modules',
      'read_tags',
    ]),
    [
      { kind: 'index_modules', installation_id: '2' },
      { kind: 'read_tags', installation_id: '2' },
    ],
  )
  t.same(await movedRepositories(pool, host), [])
  const runtime = createRuntime({ pool, clock: systemClock })
  const { outcome } = await runtime.send({
    ...{ to: { kind: 'stack', runId, key: 'b' }, actor: 'test', installationId: 1 },
    event: { type: 'result.reported', outcome: 'changes', digest: 'b' },
  })
  t.equal(outcome, 'moved', 'a job that knew the former installation is heard')
})

t.test(
  'a worker that was publishing while it moved leaves nothing behind, and the repository can come back',
  async (t) => {
    const [{ id: runId }] = await rows('select id from runs where installation_id = 2')
    const sent = (digest: string) => ({ name: 'svc/apply', check_run_id: 7, digest, stack_id: null })
    const moved = Promise.withResolvers<void>()
    const published = moved.promise.then(() => putCheckRun(ofInstallation(pool, 2), runId, sent('under way')))
    await transact(pool, async (tx) => {
      await moveRepository(tx, { id: 1, installation_id: 2, to: 1 })
      moved.resolve()
      await until(isAnyoneHeld)
    })
    await published
    await putCheckRun(ofInstallation(pool, 2), runId, sent('late'))
    t.same(await rows('select run_id from check_runs where installation_id = 2'), [])
    await transact(pool, (tx) => moveRepository(tx, { id: 1, installation_id: 1, to: 2 }))
    await putCheckRun(ofInstallation(pool, 2), runId, sent('home'))
    t.match(await checkRunsOf(pool, runId, { names: ['svc/apply'] }), [{ digest: 'home' }])
  },
)

t.test('what a worker shows of a run at that moment is shown again, for its new installation', async (t) => {
  const [{ id: runId }] = await rows('select id from runs where installation_id = 2')
  await rows("delete from jobs where kind in ('publish_run', 'publish_stacks')")
  await transact(ofInstallation(pool, 2), (tx) =>
    addJobs(tx, [makeJob('publish_run', { run_id: runId }, { installationId: 2, cause: null })]),
  )
  await rows(
    `update jobs set state = 'running', leased_by = gen_random_uuid(), leased_until = now() + interval '1 min' where kind = 'publish_run'`,
  )
  await transact(pool, (tx) => moveRepository(tx, { id: 1, installation_id: 2, to: 1 }))
  t.same(
    await rows(
      `select kind, installation_id, payload->>'run_id' as run from jobs where kind = 'publish_run' and state = 'queued'`,
    ),
    [{ kind: 'publish_run', installation_id: '1', run: runId }],
  )
})

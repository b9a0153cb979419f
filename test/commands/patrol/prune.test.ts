import { Client } from 'pg'
import t from 'tap'
import { prune } from '#commands/patrol/prune.ts'
import { countHeldLocks } from '#db/machines/locks.ts'
import { queueDepths } from '#db/queue/jobs.ts'
import type { Pool } from '#db/sql.ts'
import { unremindedLocks, untoldHolders, untoldPulls } from '#db/views/untold-locks.ts'
import { openQueue, type Queue, silent } from '#test/scenes/queue.ts'
import type { HandlerDeps } from '#workers/handler.ts'
import { pruneWithin } from '#workers/handlers/prune.ts'

const hour = 3_600_000
const retention = { planText: 720 * hour, events: 168 * hour, drift: 2160 * hour }

/** Runs statements as a superuser, without foreign keys. */
const fill = async ({ url }: Queue, text: string): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`set session_replication_role = replica; ${text}`)
  await client.end()
}

const depsOf = ({ pool, clock }: Queue, signal = new AbortController().signal) => ({
  ...{ pool, clock, log: silent, retention, signal },
})

/** A UUID that ends in this number. */
const id = (number: number | string) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

const job = (key: string, state: string, ended: string | null, made = ended) =>
  `insert into jobs (queue, kind, key, state, payload, created_at, finished_at) values ('jobs', 'publish_run', '${key}', '${state}',
    '{}', now() - interval '${made ?? '300 days'}', ${ended === null ? 'null' : `now() - interval '${ended}'`});`

const run = (number: number, status: string, mode = 'plan') =>
  `insert into runs (installation_id, id, repo_id, sha, mode, trigger, requested_by, status, snapshot, version, seq, created_at)
    values (1, '${id(number)}', 1, 'a', '${mode}', 'push', 'ada', '${status}', '{}', 1, 0, now());`

const result = (run: number, stack: number, reported: string) =>
  `insert into results (installation_id, run_id, stack_id, body, plan_text, reported_at)
    values (1, '${id(run)}', '${id(stack)}', '{"status": "success"}', 'text', now() - interval '${reported}');`

const check = (stack: number, run: number, checked: string, drifted: boolean | null) =>
  `insert into drift_checks (installation_id, stack_id, run_id, drifted, checked_at)
    values (1, '${id(stack)}', '${id(run)}', ${drifted}, now() - interval '${checked}');`

const standing = (stack: number, run: number) =>
  `insert into drift_states (installation_id, stack_id, repo_id, run_id, drifted, checked_at)
    values (1, '${id(stack)}', 1, '${id(run)}', true, now() - interval '200 days');`

t.test('events and jobs go some time after their end, dead ones too; waiting ones stay, however old', async (t) => {
  const queue = await openQueue(t)
  await fill(
    queue,
    [
      job('old', 'done', '8 days'),
      job('ignored', 'ignored', '8 days'),
      job('dead long ago', 'dead', '8 days'),
      job('new', 'done', '6 days'),
      job('old, ended lately', 'done', '1 day', '30 days'),
      job('dead lately', 'dead', '6 days', '30 days'),
      job('waits', 'queued', null),
      job('runs', 'running', null),
    ].join(''),
  )
  await prune(depsOf(queue), 1000)
  t.same(
    (await queue.rows('select key from jobs order by id')).map(({ key }) => key),
    ['new', 'old, ended lately', 'dead lately', 'waits', 'runs'],
  )
})

t.test('plan texts go, and nothing else of their rows; the texts of unfinished runs stay', async (t) => {
  const queue = await openQueue(t)
  const statuses = ['planned', 'superseded', 'failed', 'pending', 'planning', 'applying', 'applied']
  await fill(queue, statuses.map((status, at) => run(at, status) + result(at, 1, '31 days')).join(''))
  await fill(queue, result(0, 2, '29 days'))
  await prune(depsOf(queue), 1000)
  t.same(
    await queue.rows(`
      select r.status, x.plan_text as text, x.body from results x join runs r on r.id = x.run_id
      where x.stack_id = '${id(1)}' order by r.id`),
    statuses.map((status) => ({
      status,
      text: ['pending', 'planning', 'applying'].includes(status) ? 'text' : null,
      body: { status: 'success' },
    })),
  )
  t.match(await queue.rows(`select plan_text from results where stack_id = '${id(2)}'`), [{ plan_text: 'text' }])
})

t.test('of drift checks each stack’s newest stays, and the one that decided its state', async (t) => {
  const queue = await openQueue(t)
  await fill(
    queue,
    [
      // a stack that is no longer checked
      ...[check(1, 11, '300 days', false), check(1, 12, '200 days', true), standing(1, 12)],
      // a stack whose later checks were inconclusive
      ...[
        check(2, 21, '300 days', false),
        check(2, 22, '200 days', true),
        check(2, 23, '1 day', null),
        standing(2, 22),
      ],
      ...[check(3, 31, '91 days', true), check(3, 32, '89 days', false), check(3, 33, '1 day', false), standing(3, 33)],
      // of two of the same moment one is the newest
      ...[check(4, 41, '100 days', false), check(4, 42, '100 days', false)],
    ].join(''),
  )
  await prune(depsOf(queue), 1000)
  const left = await queue.rows('select run_id from drift_checks order by run_id')
  t.same(
    left.map(({ run_id }) => Number(String(run_id).slice(-2))),
    [12, 22, 23, 32, 33, 42],
  )
})

t.test('tokens, sessions, set-ups, counts of writes and commands go once they are useless', async (t) => {
  const queue = await openQueue(t)
  await fill(
    queue,
    `insert into used_tokens values ('old', now() - interval '1 hour'), ('late', now() - interval '1 minute'), ('new', now());
    insert into sessions (token_hash, user_id, login, avatar_url, orgs, account_ids, created_at, expires_at)
      select hash, 1, 'ada', '', '{}', '{}', now(), now() + after
      from (values ('old', interval '-1 minute'), ('new', interval '1 hour')) v(hash, after);
    insert into setup_states values ('old', now() - interval '1 minute'), ('new', now() + interval '1 minute');
    insert into content_writes values (1, now() - interval '3 hours', 1), (2, now() - interval '1 hour', 1);
    insert into comment_commands (installation_id, repo_id, comment_id, pr_number, verb, actor, outcome, at) values
      (1, 1, 1, 1, 'apply', 'ada', 'accepted', now() - interval '38 days'), (1, 1, 2, 1, 'apply', 'ada', null, now() - interval '36 days')`,
  )
  await prune(depsOf(queue), 1000)
  const [left] = await queue.rows(`select
    array(select jti_hash from used_tokens order by 1) as tokens, array(select token_hash from sessions) as sessions,
    array(select state_hash from setup_states) as setups, array(select installation_id::int from content_writes) as writes,
    array(select comment_id::int from comment_commands) as commands`)
  t.same(left, { tokens: ['late', 'new'], sessions: ['new'], setups: ['new'], writes: [2], commands: [2] })
})

const finishedJobs = (count: number) => `
  insert into jobs (queue, kind, key, state, payload, created_at, finished_at)
  select 'jobs', 'publish_run', n::text, 'done', '{}', now() - interval '9 days', now() - interval '8 days'
  from generate_series(1, ${count}) n;`

/** The pool, with a call before each statement. */
const watched = (pool: Pool, before: (query: { sql: string; values: readonly unknown[] }) => void): Pool =>
  new Proxy(pool, {
    get: (target, name) => {
      const method = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...given: unknown[]) => {
        before(given[0] as never)
        return method.apply(target, given)
      }
    },
  })

const countJobs = async ({ rows }: Queue): Promise<number> => (await rows('select count(*)::int from jobs'))[0].count

t.test('it works in batches, stops between two of them, and skips locked rows', async (t) => {
  const queue = await openQueue(t)
  await fill(queue, finishedJobs(3500))
  const stopping = new AbortController()
  let looks = 0
  const pool = watched(queue.pool, ({ sql }) => {
    if (!/jobs/.test(sql)) return
    looks += 1
    if (looks === 2) stopping.abort(new Error('stopped'))
  })
  await t.rejects(prune({ ...depsOf(queue, stopping.signal), pool }, 60_000))
  t.equal(await countJobs(queue), 1500, 'the running batch is finished')
  const holder = new Client({ connectionString: queue.url })
  await holder.connect()
  await holder.query(`begin; select from jobs where key = '3000' for update`)
  t.equal(await prune(depsOf(queue), 60_000), false, 'it does not wait for the row')
  await holder.query('rollback')
  await holder.end()
  t.match(await queue.rows('select key from jobs'), [{ key: '3000' }])
  await prune(depsOf(queue), 60_000)
  t.equal(await countJobs(queue), 0)
})

t.test('another job goes on with what one job leaves', async (t) => {
  const queue = await openQueue(t)
  await fill(queue, finishedJobs(1500))
  const deps = { ...queue, log: silent, retention, signal: new AbortController().signal } as unknown as HandlerDeps
  const work = async (mostMs: number) => {
    const signal = new AbortController().signal
    const [row] = await queue.claim()
    await pruneWithin(mostMs)({ ...deps, signal }, {}, row)
    await queue.rows(`update jobs set state = 'done', finished_at = now() where id = $1`, [row.id])
  }
  const waiting = () => queue.rows(`select kind, key, lane from jobs where state = 'queued'`)
  await queue.add({ kind: 'prune', key: 'all', lane: 'prune' })
  await work(0)
  t.match(await waiting(), [{ kind: 'prune', key: 'all', lane: 'prune' }])
  queue.clock.pass(10)
  await work(60_000)
  t.same(await waiting(), [])
})

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] }

const walked = (plan: Plan): string[] => [
  // a partition stands for its table
  ...(/Seq Scan/.test(plan['Node Type']) ? [(plan['Relation Name'] ?? '').replace(/_default$/, '')] : []),
  ...(plan.Plans ?? []).flatMap(walked),
]

t.test('no batch walks over a large table, nor do the gauges and the check of locks', async (t) => {
  const queue = await openQueue(t)
  await fill(
    queue,
    `insert into jobs (queue, kind, key, state, payload, created_at, finished_at)
      select 'jobs', 'publish_run', n::text, 'done', '{}', now() - interval '10 days' + n * interval '30 s', now()
      from generate_series(1, 20000) n;
    insert into runs (installation_id, id, repo_id, sha, mode, trigger, requested_by, status, snapshot, version, seq, created_at)
      select 1, gen_random_uuid(), 1, 'a', 'plan', 'push', 'ada', 'planned', '{}', 1, 0, now() from generate_series(1, 40000);
    insert into results (installation_id, run_id, stack_id, body, plan_text, reported_at)
      select 1, id, gen_random_uuid(), '{}', 'text', now() - random() * interval '60 days' from runs;
    insert into drift_checks (installation_id, stack_id, run_id, drifted, checked_at)
      select 1, r.stack_id, r.run_id, false, r.reported_at from results r;
    insert into drift_states (installation_id, stack_id, repo_id, run_id, drifted, checked_at)
      select 1, stack_id, 1, run_id, false, reported_at from results;
    insert into used_tokens select gen_random_uuid(), now() - random() * interval '1 hour' from generate_series(1, 10000);
    insert into comment_commands (installation_id, repo_id, comment_id, pr_number, verb, actor, at)
      select 1, 1, n, 1, 'apply', 'ada', now() - random() * interval '60 days' from generate_series(1, 10000) n;
    insert into locks (installation_id, stack_id, repo_id, state, run_id, snapshot, version, seq)
      select 1, gen_random_uuid(), 1, case when n % 100 = 0 then 'held.claimed' else 'free' end,
        case when n % 100 = 0 then gen_random_uuid() end, '{}', 1, 0 from generate_series(1, 10000) n`,
  )
  await queue.rows('vacuum analyze')
  const statements: { sql: string; values: readonly unknown[] }[] = []
  const log = (statement: (typeof statements)[number]) => statements.push(statement)
  await prune({ ...depsOf(queue), pool: watched(queue.pool, log), retention: { ...retention, drift: 600 * hour } }, 1)
  t.same(await queueDepths(watched(queue.pool, log)), [])
  t.equal(await countHeldLocks(watched(queue.pool, log)), 100)
  t.same(await untoldPulls(watched(queue.pool, log), queue.clock.now()), [])
  t.same(await untoldHolders(watched(queue.pool, log), queue.clock.now()), [])
  t.equal((await unremindedLocks(watched(queue.pool, log), 50)).length, 50)
  t.ok(statements.length >= 8)
  const large = ['jobs', 'runs', 'results', 'drift_checks', 'drift_states', 'used_tokens', 'comment_commands', 'locks']
  for (const { sql, values } of statements) {
    const [{ 'QUERY PLAN': plans }] = await queue.rows(`explain (format json) ${sql.replaceAll('$slonik_', '$')}`, [
      ...values,
    ])
    t.same(
      walked(plans[0].Plan).filter((table) => large.includes(table)),
      [],
      sql,
    )
  }
})

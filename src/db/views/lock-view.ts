import { z } from 'zod'
import { isHeld } from '#db/machines/locks.ts'
import { stackRow } from '#db/machines/stack-row.ts'
import { heldStates } from '#domain/lock-state.ts'
import { runStatuses } from '#domain/run-status.ts'
import { type FragmentSqlToken, type Reader, sql } from '../sql.ts'
import { ofRepository, ofRun, ofStack } from '../tenant.ts'
import { isThere, type Sight } from '../visibility.ts'
import { contains } from './contains.ts'

const LockView = z.object({
  stack_id: z.string(),
  stack_key: z.string(),
  repo_id: z.number(),
  repo: z.string(),
  state: z.enum(heldStates),
  fence: z.number(),
  run_id: z.string(),
  pr_number: z.number().nullable(),
  taken_at: z.date(),
  run_status: z.enum(runStatuses).nullable(),
})

const ListedLock = LockView.extend({
  pr_state: z.enum(['open', 'closed', 'merged']).nullable(),
  pr_title: z.string().nullable(),
})

/** A held lock with its holder's run. */
export type LockView = z.infer<typeof LockView>

/** The same with its holder's pull request, as lists show it. */
export type ListedLock = z.infer<typeof ListedLock>

export type LockFilter = {
  repoId?: number | undefined
  stackId?: string | undefined
  /** Is in the stack's key, in any letter case. */
  q?: string | undefined
  /** On stacks of this run, whoever holds them. */
  runId?: string | undefined
  /** Held by this pull request, or waited for by it. */
  pull?: { repoId: number; number: number } | undefined
  state?: LockView['state'] | undefined
}

const columns = sql.fragment`
  l.stack_id, s.key as stack_key, s.repo_id, p.full_name as repo, l.state, l.fence, l.run_id, l.pr_number, l.taken_at,
  r.status as run_status`

const from = sql.fragment`
  from locks l join stacks s on s.installation_id = l.installation_id and s.id = l.stack_id
  join repositories p on p.id = s.repo_id left join runs r on r.installation_id = l.installation_id and r.id = l.run_id`

/** Of a table `locks`. Each in words of its own: what is not asked for is not in the statement, whose plan then fits. */
const matches = (db: Reader, { repoId, stackId, q, runId, pull, state }: LockFilter): FragmentSqlToken[] => [
  ...(repoId === undefined
    ? []
    : [sql.fragment`installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId}`]),
  ...(stackId === undefined ? [] : [sql.fragment`installation_id = ${ofStack(db, stackId)} and stack_id = ${stackId}`]),
  ...(q === undefined
    ? []
    : [
        sql.fragment`exists (
          select from stacks s where s.installation_id = locks.installation_id and s.id = locks.stack_id
            and ${contains(sql.fragment`s.key`, q)})`,
      ]),
  ...(runId === undefined
    ? []
    : [
        sql.fragment`stack_id = any(array(
          select stack_id from run_stacks where installation_id = ${ofRun(db, runId)} and run_id = ${runId}))`,
      ]),
  ...(pull === undefined
    ? []
    : [
        sql.fragment`installation_id = ${ofRepository(db, pull.repoId)} and repo_id = ${pull.repoId} and (pr_number = ${pull.number} or stack_id = any(array(
          select x.stack_id from pull_requests q ${newestPlan}
            join run_stacks x on x.installation_id = q.installation_id and x.run_id = n.id and ${hasChanges}
          where q.state = 'open' and q.installation_id = ${ofRepository(db, pull.repoId)} and q.repo_id = ${pull.repoId}
            and q.number = ${pull.number})))`,
      ]),
  ...(state === undefined ? [] : [sql.fragment`state = ${state}`]),
]

const held = (db: Reader, sight: Sight, filter: LockFilter): FragmentSqlToken =>
  sql.fragment`from locks where ${sql.join(
    [isHeld(sql.fragment`locks`), isThere(sight, sql.fragment`locks.repo_id`), ...matches(db, filter)],
    sql.fragment` and `,
  )}`

/**
 * Held locks, the longest held first. The rest is looked up lock by lock: for a page of 500, Postgres may prefer a join that
 * walks over all stacks and runs.
 */
export const heldLocks = (
  db: Reader,
  {
    sight,
    filter,
    after,
    limit,
  }: { sight: Sight; filter: LockFilter; after: { takenAt: Date; stackId: string } | undefined; limit: number },
): Promise<readonly ListedLock[]> =>
  db.any(sql.type(ListedLock)`
    select ${columns}, case when q.merged_at is null then q.state else 'merged' end as pr_state, q.title as pr_title
    from (
      select * ${held(db, sight, filter)}
        ${after ? sql.fragment`and (taken_at, stack_id) > (${after.takenAt.toISOString()}::timestamptz, ${after.stackId}::uuid)` : sql.fragment``}
      order by taken_at, stack_id limit ${limit}) l
    cross join lateral ${stackRow(sql.fragment`l.installation_id`, sql.fragment`l.stack_id`)} s
    join repositories p on p.id = l.repo_id
    left join lateral (select status from runs where installation_id = l.installation_id and id = l.run_id limit 1) r on true
    left join lateral (
      select state, merged_at, title from pull_requests
      where installation_id = l.installation_id and repo_id = l.repo_id and number = l.pr_number limit 1) q on true
    order by l.taken_at, l.stack_id`)

const CountedRow = z.object({ n: z.number() })

export const countHeld = async (db: Reader, sight: Sight, filter: LockFilter): Promise<number> =>
  (await db.one(sql.type(CountedRow)`select count(*) as n ${held(db, sight, filter)}`)).n

/** Locks that a pull request holds, by stack key. */
export const locksHeldByPullRequest = (db: Reader, repoId: number, prNumber: number): Promise<readonly LockView[]> =>
  db.any(sql.type(LockView)`
    select ${columns} ${from}
    where l.installation_id = ${ofRepository(db, repoId)} and l.pr_number = ${prNumber} and ${isHeld(sql.fragment`l`)}
      and s.repo_id = ${repoId} order by s.key`)

const Waiting = z.object({ stack_id: z.string(), pr_number: z.number(), run_id: z.string(), total: z.number() })

/** A pull request that waits for a lock; `total` of them wait for it. */
export type Waiting = z.infer<typeof Waiting>

const waitingShown = 10

/** The newest plan `n` of the head of each pull request `q`. */
const newestPlan = sql.fragment`
  cross join lateral (
    select id from runs
    where installation_id = q.installation_id and repo_id = q.repo_id and pr_number = q.number and mode = 'plan' and sha = q.head_sha
      and trigger = 'pull_request'
    order by created_at desc, id desc limit 1) n`

/** Such a row of a plan has changes that wait for the lock of its stack. */
const hasChanges = sql.fragment`x.status not in ('noop', 'superseded')`

/**
 * Open pull requests whose newest plan of their head changes one of these stacks, except the holder of its lock: up to ten for
 * a stack. Goes from the pull requests to the stacks, since those are few and the runs of a stack are many; in this order alone: joined
 * freely, each of 500 runs of a stack was compared with each of 260 open pull requests, which took 1.6 s.
 */
export const waitingForLocks = (
  db: Reader,
  locks: readonly Pick<LockView, 'stack_id' | 'repo_id'>[],
): Promise<readonly Waiting[]> =>
  db.any(sql.type(Waiting)`
    with plans as materialized (
      select q.installation_id, q.number, n.id as run_id from pull_requests q ${newestPlan}
      where q.state = 'open' and q.repo_id = any(${sql.array([...new Set(locks.map((lock) => lock.repo_id))], 'int8')})
    )
    select stack_id, pr_number, run_id, total from (
      select x.stack_id, p.number as pr_number, p.run_id,
        row_number() over (partition by x.stack_id order by p.number) as place,
        count(*) over (partition by x.stack_id) as total
      from plans p cross join lateral (
        select x.installation_id, x.stack_id from run_stacks x
        where x.installation_id = p.installation_id and x.run_id = p.run_id and ${hasChanges}
          and x.stack_id = any(${sql.array(
            locks.map((lock) => lock.stack_id),
            'uuid',
          )})
        offset 0) x
      join locks l on l.installation_id = x.installation_id and l.stack_id = x.stack_id
      where l.pr_number is distinct from p.number) w
    where place <= ${waitingShown} order by stack_id, pr_number`)

import { z } from 'zod'
import { type Reader, sql } from '../sql.ts'
import { isVisible, type Sight } from '../visibility.ts'

const LockView = z.object({
  stack_id: z.string(),
  stack_key: z.string(),
  repo_id: z.number(),
  repo: z.string(),
  state: z.string(),
  fence: z.number(),
  run_id: z.string(),
  pr_number: z.number().nullable(),
  taken_at: z.date(),
  run_status: z.string().nullable(),
})

/** A held lock with its holder's run. */
export type LockView = z.infer<typeof LockView>

const columns = sql.fragment`
  l.stack_id, s.key as stack_key, s.repo_id, p.full_name as repo, l.state, l.fence, l.run_id, l.pr_number, l.taken_at,
  r.status as run_status`

const from = sql.fragment`
  from locks l join stacks s on s.id = l.stack_id join repositories p on p.id = s.repo_id
  left join runs r on r.id = l.run_id`

/**
 * Locks that are held, the longest held first; of one repository where its id is given. What belongs to a lock is looked up
 * lock by lock: for a page of 500 a join may seem cheaper by a walk over all stacks and runs.
 */
export const heldLocks = (
  db: Reader,
  {
    sight,
    repoId,
    after,
    limit,
  }: { sight: Sight; repoId: number | null; after: { takenAt: Date; stackId: string } | undefined; limit: number },
): Promise<readonly LockView[]> =>
  db.any(sql.type(LockView)`
    select ${columns}
    from (
      select * from locks
      where run_id is not null and state <> 'free' and ${isVisible(sight, sql.fragment`repo_id`)}
        ${repoId === null ? sql.fragment`` : sql.fragment`and repo_id = ${repoId}`}
        ${after ? sql.fragment`and (taken_at, stack_id) > (${after.takenAt.toISOString()}::timestamptz, ${after.stackId}::uuid)` : sql.fragment``}
      order by taken_at, stack_id limit ${limit}) l
    cross join lateral (select * from stacks where id = l.stack_id limit 1) s
    join repositories p on p.id = l.repo_id
    left join lateral (select status from runs where id = l.run_id limit 1) r on true
    order by l.taken_at, l.stack_id`)

/** Locks that a pull request holds, by key of their stacks. */
export const locksHeldByPullRequest = (db: Reader, repoId: number, prNumber: number): Promise<readonly LockView[]> =>
  db.any(sql.type(LockView)`
    select ${columns} ${from}
    where l.pr_number = ${prNumber} and l.state <> 'free' and s.repo_id = ${repoId} order by s.key`)

const Waiting = z.object({ stack_id: z.string(), pr_number: z.number(), run_id: z.string() })

export type Waiting = z.infer<typeof Waiting>

const waitingShown = 10

/**
 * Open pull requests whose newest plan of their head has changes to one of these stacks, but for the holder of its lock: up
 * to ten a stack. From the pull requests to the stacks, since those are few where the runs of a stack are many.
 */
export const waitingForLocks = (db: Reader, locks: readonly LockView[]): Promise<readonly Waiting[]> =>
  db.any(sql.type(Waiting)`
    select stack_id, pr_number, run_id from (
      select x.stack_id, q.number as pr_number, n.id as run_id,
        row_number() over (partition by x.stack_id order by q.number) as place
      from pull_requests q
      cross join lateral (
        select id from runs
        where repo_id = q.repo_id and pr_number = q.number and mode = 'plan' and sha = q.head_sha
          and trigger = 'pull_request'
        order by created_at desc, id desc limit 1) n
      join run_stacks x on x.run_id = n.id and x.stack_id = any(${sql.array(
        locks.map((lock) => lock.stack_id),
        'uuid',
      )})
      join locks l on l.stack_id = x.stack_id
      where q.state = 'open' and q.repo_id = any(${sql.array([...new Set(locks.map((lock) => lock.repo_id))], 'int8')})
        and x.status not in ('noop', 'superseded') and l.pr_number is distinct from q.number) w
    where place <= ${waitingShown} order by stack_id, pr_number`)

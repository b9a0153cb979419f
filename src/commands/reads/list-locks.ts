import type { PersonOrKey } from '#commands/callers/caller.ts'
import { sightOf } from '#commands/callers/person.ts'
import { limitOf, momentKey, type Page, type PageRequest, pageOf, readCursor } from '#commands/shapes/page.ts'
import { present } from '#commands/shapes/shape-run.ts'
import { findSeenRepository, type Repository } from '#db/repositories/repositories.ts'
import type { Pool } from '#db/sql.ts'
import { heldLocks, type ListedLock, type LockFilter, type Waiting, waitingForLocks } from '#db/views/lock-view.ts'
import { invalid, Problem } from '#errors.ts'
import type { Deps } from '../deps.ts'

const list = 'locks'

type Asked = {
  repo?: string | undefined
  stack?: string | undefined
  q?: string | undefined
  run?: string | undefined
  pr?: number | undefined
  state?: LockFilter['state']
}

/** The held locks, the longest held first, each with the pull requests that wait for it. */
export const listLocks = async (
  { pool }: Pick<Deps, 'pool'>,
  caller: PersonOrKey,
  asked: PageRequest & Asked,
): Promise<Page<ShapedLock>> => {
  const limit = limitOf(asked)
  const after = readCursor(asked.cursor, momentKey(list))
  const locks = await heldLocks(pool, {
    sight: sightOf(caller),
    filter: await filterOf(pool, caller, asked),
    after: after && { takenAt: new Date(after.at), stackId: after.id },
    limit: limit + 1,
  })
  const keyOf = (lock: ListedLock) => [list, lock.taken_at.toISOString(), lock.stack_id]
  const page = pageOf(locks, limit, { keyOf, shape: (lock) => lock })
  return { ...page, items: await shapeLocks(pool, page.items) }
}

const filterOf = async (pool: Pool, caller: PersonOrKey, asked: Asked): Promise<LockFilter> => {
  const { repo, stack: stackId, q, run: runId, pr: number, state } = asked
  const repoId = repo === undefined ? undefined : (await seenRepository(pool, caller, repo)).id
  if (number === undefined) return { repoId, stackId, q, runId, state }
  // numbers of pull requests mean something in their repository alone
  if (repoId === undefined) throw invalid('pr', 'must come with repo')
  return { stackId, q, runId, pull: { repoId, number }, state }
}

const seenRepository = async (pool: Pool, caller: PersonOrKey, name: string): Promise<Repository> => {
  const repository = await findSeenRepository(pool, sightOf(caller), name)
  if (!repository) throw new Problem('not_found', `the service knows no repository ${name}`)
  return repository
}

/** Locks as the API shows them, with who waits for each. */
export const shapeLocks = async (pool: Pool, locks: readonly ListedLock[]): Promise<ShapedLock[]> => {
  const waiting = locks.length === 0 ? [] : await waitingForLocks(pool, locks)
  const byStack = Map.groupBy(waiting, ({ stack_id }) => stack_id)
  return locks.map((lock) => shapeLock(lock, byStack.get(lock.stack_id) ?? []))
}

const shapeLock = (lock: ListedLock, waiting: readonly Waiting[]) => ({
  stack_id: lock.stack_id,
  stack_key: lock.stack_key,
  repo: lock.repo,
  state: lock.state,
  fence: lock.fence,
  run_id: lock.run_id,
  taken_at: lock.taken_at.toISOString(),
  waiting_total: waiting[0]?.total ?? 0,
  ...present({
    pr_number: lock.pr_number,
    pr_state: lock.pr_state,
    pr_title: lock.pr_title,
    run_status: lock.run_status,
    waiting: waiting.map(({ pr_number, run_id }) => ({ pr_number, run_id })),
  }),
})

export type ShapedLock = ReturnType<typeof shapeLock>

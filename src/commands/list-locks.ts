import { findRepositoryNamed, type Repository } from '#db/repositories.ts'
import type { Pool } from '#db/sql.ts'
import { heldLocks, type LockView, type Waiting, waitingForLocks } from '#db/views/lock-view.ts'
import { Problem } from '#errors.ts'
import type { PersonOrKey } from './caller.ts'
import type { Deps } from './deps.ts'
import { limitOf, momentKey, type Page, type PageRequest, pageOf, readCursor } from './page.ts'
import { permitSight } from './people/permit-sight.ts'
import { sightOf } from './people/person.ts'
import { present } from './shapes.ts'

const list = 'locks'

/** The locks that are held, the longest held first, each with the pull requests that wait for it. */
export const listLocks = async (
  { pool }: Pick<Deps, 'pool'>,
  caller: PersonOrKey,
  asked: PageRequest & { repo?: string | undefined },
): Promise<Page<ShapedLock>> => {
  const limit = limitOf(asked)
  const after = readCursor(asked.cursor, momentKey(list))
  const repository = asked.repo === undefined ? undefined : await knownRepository(pool, caller, asked.repo)
  const locks = await heldLocks(pool, {
    sight: sightOf(caller),
    repoId: repository?.id ?? null,
    after: after && { takenAt: new Date(after.at), stackId: after.id },
    limit: limit + 1,
  })
  const waiting = locks.length === 0 ? [] : await waitingForLocks(pool, locks)
  return pageOf(locks, limit, {
    keyOf: (lock) => [list, lock.taken_at.toISOString(), lock.stack_id],
    shape: (lock) =>
      shapeLock(
        lock,
        waiting.filter((one) => one.stack_id === lock.stack_id),
      ),
  })
}

/** One that the app was taken from too: its locks are held all the same. */
const knownRepository = async (pool: Pool, caller: PersonOrKey, name: string): Promise<Repository> => {
  const absent = () => new Problem('not_found', `the service knows no repository ${name}`)
  const repository = await findRepositoryNamed(pool, name)
  if (!repository) throw absent()
  await permitSight(pool, caller, repository.id, absent)
  return repository
}

const shapeLock = (lock: LockView, waiting: readonly Waiting[]) => ({
  stack_id: lock.stack_id,
  stack_key: lock.stack_key,
  repo: lock.repo,
  state: lock.state,
  fence: lock.fence,
  run_id: lock.run_id,
  taken_at: lock.taken_at.toISOString(),
  ...present({
    pr_number: lock.pr_number,
    run_status: lock.run_status,
    waiting: waiting.map(({ pr_number, run_id }) => ({ pr_number, run_id })),
  }),
})

export type ShapedLock = ReturnType<typeof shapeLock>

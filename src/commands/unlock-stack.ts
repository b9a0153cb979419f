import { type LockRow, lockLocks } from '#db/locks.ts'
import { findRepository, findRepositoryNamed, type Repository } from '#db/repositories.ts'
import type { Tx } from '#db/sql.ts'
import { findStack, findStackOfRepository, type StackRow } from '#db/stacks.ts'
import { transact } from '#db/transact.ts'
import { Problem } from '#errors.ts'
import { lockActor } from '#runtime/actor.ts'
import type { Runtime } from '#runtime/runtime.ts'
import { actorOf, type PersonOrKey } from './caller.ts'
import type { Deps } from './deps.ts'
import { permitSight } from './people/permit-sight.ts'
import { permitPush } from './permit-push.ts'
import { present } from './shapes.ts'

/** Why locks are released, and who says so: kept in the audit log. */
export type Release = {
  actor: string
  reason?: string | undefined
  /** After a runner that died during an apply, as said or as is known of the stack: the state lock is to be checked. */
  forceState?: boolean | 'where unseen' | undefined
  /** The pull request in whose conversation it was asked for: it is answered there, and not told of each lock besides. */
  askedIn?: number | undefined
  cause?: string | undefined
}

/**
 * Releases the locks of these stacks, whoever holds them or only those of one pull request; answers those that were held, as
 * they were. Who holds them is seen once they are locked: a look before may be of a holder that has gone meanwhile.
 */
export const releaseLocks = async (
  runtime: Runtime,
  tx: Tx,
  { stackIds, heldBy }: { stackIds: readonly string[]; heldBy?: number },
  { actor, reason, forceState = false, askedIn, cause }: Release,
): Promise<LockRow[]> => {
  const locked = await lockLocks(tx, [...stackIds])
  const held = locked.filter((lock) => lock.state !== 'free' && (heldBy === undefined || lock.pr_number === heldBy))
  const eventOf = (lock: LockRow) => ({
    type: 'release.requested',
    actor,
    ...(reason === undefined ? {} : { reason }),
    force_state: forceState === 'where unseen' ? endedUnseen(lock) : forceState,
    ...(askedIn === undefined ? {} : { asked_in: askedIn }),
  })
  await runtime.sendAll(
    tx,
    held.map((lock) => ({
      to: { kind: 'lock', stackId: lock.stack_id },
      event: eventOf(lock),
      actor,
      cause,
    })),
  )
  return held
}

/** Whether the apply that the lock is held for ended without a report. */
export const endedUnseen = (lock: LockRow): boolean => lockActor(lock).snapshot.context.unknown

type Named = { repo: string; stack_key: string } | { stackId: string }
type Asked = { reason?: string | undefined; force_state?: boolean | undefined }

/** Releases the lock of one stack (spec, 'POST /v1/unlock'); nothing is released, and nothing audited, where none is held. */
export const unlockStack = async (deps: Deps, caller: PersonOrKey, named: Named, asked: Asked, cause?: string) => {
  const { stack, repository } = await find(deps, caller, named)
  await permitPush(deps, caller, repository)
  const release = { actor: actorOf(caller), reason: asked.reason, forceState: asked.force_state, cause }
  const released = await transact(deps.pool, (tx) => releaseLocks(deps.runtime, tx, { stackIds: [stack.id] }, release))
  return { released: released.map((lock) => shapeReleased(lock, asked.reason)) }
}

type Found = { stack: StackRow; repository: Repository }

const find = async ({ pool }: Deps, caller: PersonOrKey, named: Named): Promise<Found> => {
  if ('stackId' in named) {
    const absent = () => new Problem('not_found', `stack ${named.stackId} does not exist`)
    const stack = await findStack(pool, named.stackId)
    const repository = stack && (await findRepository(pool, stack.repo_id))
    if (!stack || !repository) throw absent()
    await permitSight(pool, caller, repository.id, absent)
    return { stack, repository }
  }
  const absent = () => new Problem('not_found', `the service knows no repository ${named.repo}`)
  const repository = await findRepositoryNamed(pool, named.repo)
  if (!repository) throw absent()
  await permitSight(pool, caller, repository.id, absent)
  const stack = await findStackOfRepository(pool, repository.id, named.stack_key)
  if (!stack) throw new Problem('not_found', `${repository.fullName} has no stack ${named.stack_key}`)
  return { stack, repository }
}

const shapeReleased = (lock: LockRow, reason: string | undefined) => ({
  stack_id: lock.stack_id,
  stack_key: lock.stack_key,
  ...present({ run_id: lock.run_id, pr_number: lock.pr_number, taken_at: lock.taken_at?.toISOString(), reason }),
})

import { accountOf, actorOf, ownerOf, type PersonOrKey } from '#commands/callers/caller.ts'
import { permitPush } from '#commands/callers/permit-push.ts'
import { permitSight } from '#commands/callers/permit-sight.ts'
import { permitTeams } from '#commands/callers/permit-teams.ts'
import { refusePaused } from '#commands/callers/refuse-suspended.ts'
import { present } from '#commands/shapes/shape-run.ts'
import { type LockRow, lockLocks } from '#db/machines/locks.ts'
import { findRepositoryNamed, type Repository } from '#db/repositories/repositories.ts'
import { findStack, findStackOfRepository, type StackRow } from '#db/repositories/stacks.ts'
import type { Tx } from '#db/sql.ts'
import { Problem } from '#errors.ts'
import { lockActor } from '#runtime/actor.ts'
import { laneOf } from '#runtime/address.ts'
import { lockConflict } from '#runtime/lock-conflict.ts'
import type { EventOf } from '#runtime/message.ts'
import type { Runtime } from '#runtime/runtime.ts'
import type { Deps } from '../deps.ts'

/** Why locks are released, and by whom: kept in the audit log. */
export type Release = {
  actor: string
  /** Of a person. */
  account?: number | undefined
  reason?: string | undefined
  /**
   * After a runner that died during an apply, as the caller says or as the stack's state shows: someone must check the state
   * lock.
   */
  forceState?: boolean | 'where unseen' | undefined
  /** The pull request that asked for it: it gets one answer, and no comment for each lock. */
  askedIn?: number | undefined
  cause?: string | undefined
}

type Which = {
  stackIds: readonly string[]
  /** Only those that this pull request holds. */
  heldBy?: number
  /** The run that is thought to hold them. */
  runId?: string | undefined
}

/**
 * Releases the locks of these stacks, whoever holds them, or only the locks of one pull request; returns those that were
 * held, as they were. Throws `conflict` if another run than the named one holds one of them. The holder is read once the
 * locks are locked: an earlier read may show a holder that is gone by now.
 */
export const releaseLocks = async (
  runtime: Runtime,
  tx: Tx,
  { stackIds, heldBy, runId }: Which,
  { actor, account, reason, forceState = false, askedIn, cause }: Release,
): Promise<LockRow[]> => {
  const locked = await lockLocks(tx, [...stackIds])
  const held = locked.filter((lock) => lock.state !== 'free' && (heldBy === undefined || lock.pr_number === heldBy))
  const other = held.find((lock) => runId !== undefined && lock.run_id !== runId)
  if (other) throw heldByAnother(other, runId)
  const eventOf = (lock: LockRow): EventOf<'lock'> => ({
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
      account,
      cause,
    })),
  )
  return held
}

/** Whether the apply that holds the lock ended without a report. */
export const endedUnseen = (lock: LockRow): boolean => lockActor(lock).snapshot.context.unknown

const heldByAnother = (lock: LockRow, runId: string | undefined): Problem => {
  const { stack_key: key, pr_number: pull, run_id: run } = lock
  const holder = pull === null ? `run ${run}` : `pull request #${pull} (run ${run})`
  return new Problem('conflict', `the lock on ${key} is held by ${holder} now, not by run ${runId}`, {
    details: { conflicts: [lockConflict(lock)] },
  })
}

type Named = { repo: string; stack_key: string } | { stackId: string }
type Asked = { reason?: string | undefined; force_state?: boolean | undefined; run_id?: string | undefined }

/**
 * Releases the lock of one stack (docs/interface.md, 'POST /v1/unlock'); nothing is released, and nothing audited, if none is
 * held. Throws `conflict` if another run holds it than the one that is named.
 */
export const unlockStack = async (deps: Deps, caller: PersonOrKey, named: Named, asked: Asked, cause?: string) => {
  const { stack, repository } = await find(deps, caller, named)
  refusePaused(repository)
  await permitPush(deps, caller, repository)
  await permitTeams(deps, 'unlock', caller, repository)
  const release = {
    actor: actorOf(caller),
    account: accountOf(caller),
    reason: asked.reason,
    forceState: asked.force_state,
    cause,
  }
  const place = { owner: ownerOf(caller), row: laneOf({ kind: 'lock', stackId: stack.id }) }
  const released = await deps.runtime.transactInTurn(place, (tx) =>
    releaseLocks(deps.runtime, tx, { stackIds: [stack.id], runId: asked.run_id }, release),
  )
  return { released: released.map((lock) => shapeReleased(lock, asked.reason)) }
}

type Found = { stack: StackRow; repository: Repository }

const find = async ({ pool, findRepository }: Deps, caller: PersonOrKey, named: Named): Promise<Found> => {
  if ('stackId' in named) {
    const absent = () => new Problem('not_found', `stack ${named.stackId} does not exist`)
    const stack = await findStack(pool, named.stackId)
    const repository = stack && (await findRepository(stack.repo_id))
    if (!stack || !repository) throw absent()
    await permitSight(pool, caller, repository.id, absent)
    return { stack, repository }
  }
  const absent = () => new Problem('not_found', `the service knows no repository ${named.repo}`)
  const repository = await findRepositoryNamed(pool, named.repo)
  if (!repository) throw absent()
  await permitSight(pool, caller, repository.id, absent)
  const stack = await findStackOfRepository(pool, repository.id, named.stack_key)
  if (!stack) throw new Problem('not_found', `${repository.full_name} has no stack ${named.stack_key}`)
  return { stack, repository }
}

const shapeReleased = (lock: LockRow, reason: string | undefined) => ({
  stack_id: lock.stack_id,
  stack_key: lock.stack_key,
  ...present({ run_id: lock.run_id, pr_number: lock.pr_number, taken_at: lock.taken_at?.toISOString(), reason }),
})

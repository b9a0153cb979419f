import type { LockRow } from '#db/machines/locks.ts'
import type { AuditRow } from '#db/people/audit.ts'
import { type Job, makeJob } from '#jobs/job.ts'
import type { ActionOf, ParamsOf } from '#machines/actions.ts'
import type { ContextOf } from '#machines/index.ts'
import type { LockActor } from '../actor.ts'
import { type Draft, standing } from '../draft.ts'
import type { Message } from '../message.ts'

type Holder = Pick<ContextOf<'lock'>, 'run_id' | 'pr_number' | 'taken_at'>

/** What is written about a lock (docs/interface.md, 'AuditEntry'), and the job that tells its holder in a comment. */
type LockNotice = { entry?: AuditRow; job?: Job }

/**
 * The notices for a lock's action: it was released, it is orphaned, or it is held for long. The audit entry is in the same
 * transaction: there is one for each action, however often the comment is tried.
 */
export const lockNotice = (
  draft: Draft,
  lock: LockActor,
  action: ActionOf<'notice'>,
  { at, message }: { at: Date; message: Message },
): LockNotice => {
  const holder = standing(draft, lock).snapshot.context
  const { row } = lock
  const { repo_id, stack_id, installation_id: installationId } = row
  const more = { installationId, at, cause: message.cause }
  switch (action.type) {
    case 'auditUnlock':
      return { entry: unlockEntry(row, action.params, { at, account: message.account }) }
    case 'commentUnlocked': {
      const payload = { about: 'unlocked' as const, repo_id, ...action.params, stack_ids: [stack_id] }
      return { job: makeJob('comment_lock', payload, more) }
    }
    case 'warnOrphaned':
      return {
        entry: noticeEntry(row, { about: 'orphaned', holder, actor: message.actor }, at),
        job: makeJob('comment_lock', { about: 'orphaned', repo_id, ...holderOf(holder) }, more),
      }
    case 'remindHolder':
      return {
        entry: noticeEntry(row, { about: 'reminder', holder, actor: 'system' }, at),
        job: makeJob(
          'comment_lock',
          { about: 'reminder', repo_id, ...holderOf(holder) },
          { ...more, runAt: new Date(+at + gatherMs) },
        ),
      }
  }
}

/** The holder whose locks the comment lists: the pull request, or the manual run. */
const holderOf = ({ pr_number, run_id }: Holder) => (pr_number === undefined ? { run_id } : { pr_number })

/**
 * The timers of a holder's locks ring a hundred at a time, and timers of the same moment may ring one poll apart: the comment
 * waits for all of them, or each hundred would get its own.
 */
const gatherMs = 30_000

const targetOf = (row: LockRow): string => `${row.repo}//${row.stack_key}`

const unlockEntry = (
  row: LockRow,
  release: ParamsOf<'auditUnlock'>,
  by: { at: Date; account: number | undefined },
): AuditRow => ({
  at: by.at,
  actor: release.actor,
  actor_id: by.account ?? null,
  action: 'unlock',
  target: targetOf(row),
  details: {
    repo: row.repo,
    stack: row.stack_key,
    stack_id: row.stack_id,
    ...(release.pr_number === undefined ? {} : { pr: release.pr_number }),
    run_id: release.run_id,
    ...(release.reason === undefined ? {} : { reason: release.reason }),
    force_state: release.force_state,
  },
})

type About = 'orphaned' | 'reminder'

const noticeEntry = (
  row: LockRow,
  { about, holder, actor }: { about: About; holder: Holder; actor: string },
  at: Date,
): AuditRow => ({
  at,
  actor,
  actor_id: null,
  action: `lock_${about}`,
  target: targetOf(row),
  details: {
    repo: row.repo,
    stack: row.stack_key,
    stack_id: row.stack_id,
    ...(holder.pr_number === undefined ? {} : { pr: holder.pr_number }),
    run_id: holder.run_id,
    taken_at: holder.taken_at,
  },
})

import type { AuditRow } from '#db/audit.ts'
import { installationLane, type NewJob } from '#db/jobs.ts'
import type { LockRow } from '#db/locks.ts'
import type { Action, ParamsOf } from '#machines/actions.ts'
import type { ContextOf } from '#machines/index.ts'
import type { LockActor } from './actor.ts'
import { type Draft, standing } from './draft.ts'
import type { Message } from './message.ts'

/** Actions by which people hear of a lock. */
export type LockNewsAction = Extract<
  Action,
  { type: 'auditUnlock' | 'commentUnlocked' | 'warnOrphaned' | 'remindHolder' }
>

type Holder = Pick<ContextOf<'lock'>, 'run_id' | 'pr_number' | 'taken_at'>

/**
 * What is written and said of a lock (spec, 'AuditEntry'): its release, that nobody is left who would set things right, that
 * it is held for long. The audit entry is of the same transaction, so that there is one for each however often the comment
 * is tried.
 */
export const addLockNews = (
  draft: Draft,
  actor: LockActor,
  action: LockNewsAction,
  { at, message }: { at: Date; message: Message },
): void => {
  const holder = standing(draft, actor).snapshot.context
  const cause = message.cause ?? null
  if (action.type === 'auditUnlock') draft.audit.push(unlockEntry(actor.row, action.params, at))
  else if (action.type === 'commentUnlocked') draft.jobs.push(unlockedJob(actor.row, action.params, at, cause))
  else {
    const about = action.type === 'warnOrphaned' ? 'orphaned' : 'reminder'
    draft.audit.push(noticeEntry(actor.row, { about, holder, actor: message.actor }, at))
    const job = noticeJob(actor.row, about, holder, cause)
    draft.jobs.push(about === 'reminder' ? { ...job, runAt: new Date(+at + gatherMs) } : job)
  }
}

/**
 * The timers of a holder's locks ring a hundred at a time, and those of one moment may be a look of the timers apart: the comment
 * waits for all of them, else each hundred would have its own.
 */
const gatherMs = 30_000

const targetOf = (row: LockRow): string => `${row.repo}//${row.stack_key}`

const unlockEntry = (row: LockRow, release: ParamsOf<'auditUnlock'>, at: Date): AuditRow => ({
  at,
  actor: release.actor,
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
  actor: about === 'reminder' ? 'system' : actor,
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

/**
 * Of several locks that a pull request loses at once it is told once: the jobs of one moment have one key, and are united
 * where they are written (save.ts).
 */
const unlockedJob = (row: LockRow, release: ParamsOf<'commentUnlocked'>, at: Date, cause: string | null): NewJob => ({
  kind: 'comment_lock',
  key: `unlocked ${row.repo_id} ${release.pr_number} ${release.actor} ${+at}`,
  lane: installationLane(row.installation_id),
  payload: { about: 'unlocked', repo_id: row.repo_id, ...release, stack_ids: [row.stack_id] },
  cause,
})

/** The same wish for all locks of a holder: the comment lists what it holds when it is written. */
const noticeJob = (row: LockRow, about: About, { pr_number, run_id }: Holder, cause: string | null): NewJob => ({
  kind: 'comment_lock',
  key: `${about} ${row.repo_id} ${pr_number ?? run_id}`,
  lane: installationLane(row.installation_id),
  payload: { about, repo_id: row.repo_id, ...(pr_number === undefined ? { run_id } : { pr_number }) },
  cause,
})

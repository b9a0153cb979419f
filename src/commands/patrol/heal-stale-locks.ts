import { refreshPullRequest } from '#commands/host-news/refresh-pull-request.ts'
import { isDatabaseDown } from '#db/database-trouble.ts'
import { lockLocks } from '#db/machines/locks.ts'
import { remindAgain } from '#db/queue/lock-reminders.ts'
import { transact } from '#db/transact.ts'
import { unremindedLocks, untoldHolders, untoldPulls } from '#db/views/untold-locks.ts'
import { type PatrolDeps, turn } from './patrol-repositories.ts'

/** Webhooks and comparisons (reconcile-pull-requests.ts) come within minutes: anything younger is left to them. */
const graceMs = 30 * 60_000
/** Per hour; each pull request costs a request to the code host. */
const most = { pulls: 50, locks: 500 }

/**
 * Frees or hands on locks that nothing else will: it sends them the news that was lost, and the lock itself decides what
 * follows. In a healthy system there are none, so each is worth a warning.
 */
export const healStaleLocks = async (deps: PatrolDeps, cause: string | null): Promise<void> => {
  const before = new Date(+deps.clock.now() - graceMs)
  await tellOfPulls(deps, before, cause)
  await tellOfRuns(deps, before, cause)
  await setReminders(deps)
}

/** Read again: the pull request may have changed since it was last read on some other occasion. */
const tellOfPulls = async (deps: PatrolDeps, before: Date, cause: string | null): Promise<void> => {
  const round = Math.floor(+deps.clock.now() / graceMs)
  for (const { repo_id, pr_number } of turn([...(await untoldPulls(deps.pool, before))], most.pulls, round)) {
    deps.signal.throwIfAborted()
    const pull = { repo_id, pr: pr_number }
    try {
      if (!(await refreshPullRequest(deps, repo_id, pr_number, cause))) continue
      deps.log.warn(pull, 'a pull request held locks that had not heard of its closing or reopening: notified them')
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      deps.log.warn({ err: error, ...pull }, 'the locks of a pull request could not be notified of its state')
    }
  }
}

const tellOfRuns = async (
  { pool, runtime, log, signal }: PatrolDeps,
  before: Date,
  cause: string | null,
): Promise<void> => {
  for (const { stack_id, run_id, outcome } of (await untoldHolders(pool, before)).slice(0, most.locks)) {
    signal.throwIfAborted()
    const { outcome: told } = await runtime.send({
      to: { kind: 'lock', stackId: stack_id },
      event: { type: 'run.finished', run_id, outcome },
      actor: 'system',
      cause,
    })
    log.warn({ stack_id, run_id, outcome, told }, 'a lock had not heard of the end of its run: notified it')
  }
}

const setReminders = async ({ pool, clock, log }: PatrolDeps): Promise<void> => {
  const ids = (await unremindedLocks(pool, most.locks)).map((lock) => lock.stack_id)
  if (ids.length === 0) return
  const set = await transact(pool, async (tx) => {
    await lockLocks(tx, ids)
    return remindAgain(tx, ids, clock.now())
  })
  if (set > 0) log.warn({ locks: set }, 'held locks had no reminder: set their reminders')
}

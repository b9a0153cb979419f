import { isDatabaseDown } from '#db/database-down.ts'
import { lockLocks } from '#db/locks.ts'
import { transact } from '#db/transact.ts'
import { remindAgain, unremindedLocks, untoldHolders, untoldPulls } from '#db/views/stale-locks.ts'
import { type PatrolDeps, turn } from './each-repository.ts'
import { refreshPullRequest } from './refresh-pull-request.ts'

/** Webhooks and comparisons (reconcile-pull-requests.ts) come within minutes: what is younger is theirs to tell. */
const graceMs = 30 * 60_000
/** In an hour; a pull request is a request to the code host each. */
const most = { pulls: 50, locks: 500 }

/**
 * Frees or hands on locks that nothing else will: it sends them the news that was lost, and what becomes of them the lock
 * itself decides. In a healthy system there are none, so that each is worth a warning.
 */
export const healStaleLocks = async (deps: PatrolDeps, cause: string | null): Promise<void> => {
  const before = new Date(+deps.clock.now() - graceMs)
  await tellOfPulls(deps, before, cause)
  await tellOfRuns(deps, before, cause)
  await setReminders(deps)
}

/** Read anew: what is known of the pull request may have changed again since it was learned by the way. */
const tellOfPulls = async (deps: PatrolDeps, before: Date, cause: string | null): Promise<void> => {
  const round = Math.floor(+deps.clock.now() / graceMs)
  for (const { repo_id, pr_number } of turn([...(await untoldPulls(deps.pool, before))], most.pulls, round)) {
    deps.signal.throwIfAborted()
    const pull = { repo_id, pr: pr_number }
    try {
      if (!(await refreshPullRequest(deps, repo_id, pr_number, cause))) continue
      deps.log.warn(pull, 'a pull request held locks that had not heard of its closing or reopening: told them')
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      deps.log.warn({ err: error, ...pull }, 'the locks of a pull request could not be told how it stands')
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
    log.warn({ stack_id, run_id, outcome, told }, 'a lock had not heard of the end of its run: told it')
  }
}

const setReminders = async ({ pool, clock, log }: PatrolDeps): Promise<void> => {
  const ids = (await unremindedLocks(pool, most.locks)).map((lock) => lock.stack_id)
  if (ids.length === 0) return
  const set = await transact(pool, async (tx) => {
    await lockLocks(tx, ids)
    return remindAgain(tx, ids, clock.now())
  })
  if (set > 0) log.warn({ locks: set }, 'locks were held of which nobody would have been reminded: set their reminders')
}

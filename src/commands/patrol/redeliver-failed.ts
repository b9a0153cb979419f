import { Refusal } from '#codehost/refusal.ts'
import { RetryAfter, soonAgain } from '#codehost/retry-after.ts'
import { knownDeliveries } from '#db/queue/deliveries.ts'
import { lastDone } from '#db/queue/jobs.ts'
import { makeJob } from '#jobs/job.ts'
import type { PatrolDeps } from './patrol-repositories.ts'

/** The code host keeps deliveries for three days (GitHub Docs, 'Redelivering webhooks'). */
const keptMs = 3 * 24 * 60 * 60 * 1000
/** The clocks of the code host and of the database differ by less. */
const slackMs = 60_000
/** A write each, at one a second: a worker is busy with them for some minutes at most. */
const most = 200

/**
 * Asks the code host again for the deliveries that never arrived since this was last done. A delivery that was stored, though
 * the code host believes it failed, is not asked for.
 */
export const redeliverFailed = async (deps: PatrolDeps): Promise<void> => {
  const { pool, codehost, clock, log, signal } = deps
  const last = await lastDone(pool, makeJob('reconcile', { what: 'deliveries' }, { cause: null }))
  const since = new Date(Math.max(+clock.now() - keptMs, last === undefined ? 0 : +last - slackMs))
  const failed = await codehost.listFailedDeliveries(since).catch(soonAgain)
  const known = await knownDeliveries(
    pool,
    failed.map(({ guid }) => guid),
  )
  const missing = failed.filter(({ guid }) => !known.has(guid))
  for (const { id, guid } of missing.slice(0, most)) {
    signal.throwIfAborted()
    const made = await codehost.redeliver(id).catch(falseIfRefused).catch(soonAgain)
    log.info({ delivery: guid, made }, 'a delivery that never arrived was asked for again')
  }
  // put back rather than done: the next attempt searches from the same time, and finds the rest
  if (missing.length > most) throw new RetryAfter(`${missing.length - most} more deliveries never arrived`, 60)
}

/** A delivery that the code host refuses to send again must not keep the others from being asked for. */
const falseIfRefused = (error: unknown): false => {
  if (error instanceof Refusal) return false
  throw error
}

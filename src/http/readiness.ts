import { mostAheadMs } from '#db/database-clock.ts'
import { databaseTrouble } from '#db/database-trouble.ts'
import { inTime } from '#db/in-time.ts'
import { tryWrite } from '#db/readiness.ts'
import { Problem } from '#errors.ts'
import type { ServerDeps } from './app.ts'
import { messageOf } from './database-problem.ts'

/** A balancer asks every few seconds and takes silence for a failure: better to say no in time. */
const patienceMs = 2000

type ReadinessDeps = Pick<ServerDeps, 'pool' | 'clockAheadMs' | 'queueTrouble'>

/** Tries what the service needs; the returned function throws 503 with what is missing. */
export const createReadiness = (deps: ReadinessDeps): (() => Promise<void>) => {
  let trying: Promise<void> | undefined
  return async () => {
    clockIsRight(deps)
    // anybody may ask, as often as they like: those who ask at the same time share an answer
    trying ??= takesWrites(deps).finally(() => {
      trying = undefined
    })
    await trying
    queueIsRead(deps)
  }
}

/** Work goes by the database's clock; what is signed or cached goes by the machine's. */
const clockIsRight = ({ clockAheadMs }: ReadinessDeps): void => {
  const ms = clockAheadMs?.() ?? 0
  if (Math.abs(ms) <= mostAheadMs) return
  const off = `${Math.round(Math.abs(ms) / 1000)} s ${ms > 0 ? 'ahead of' : 'behind'}`
  throw new Problem('unavailable', `the clock of this machine is ${off} the database's: set it, by NTP for example`)
}

const takesWrites = async ({ pool }: ReadinessDeps): Promise<void> => {
  try {
    await inTime(tryWrite(pool), patienceMs)
  } catch (cause) {
    throw new Problem('unavailable', messageOf(databaseTrouble(cause) ?? 'unreachable'), { cause })
  }
}

const queueIsRead = ({ queueTrouble }: ReadinessDeps): void => {
  const trouble = queueTrouble?.()
  if (trouble !== undefined) throw new Problem('unavailable', `the queue cannot be read: ${trouble}`)
}

import { readConfig } from '#config.ts'
import { createLog } from '#log.ts'
import { startService } from '#service.ts'
import { lockOrder } from '#test/db/lock-order.ts'

/*
 * The service in a process of its own, which may be killed. Nothing is queued by the clock: a walk says itself what time does
 * to it, and the patrols would look at all walks at once.
 */

const read = readConfig(process.env)
if ('problems' in read) throw new Error(read.problems.join('\n'))
const log = createLog({ level: 'error', format: 'text' })
const seam = lockOrder((problem) => console.error(problem))
await startService(read.config, { paced: false, publishEveryMs: 500, scheduled: false, leaseSeconds: 8, log, seam })
process.on('disconnect', () => process.exit())
process.send?.('listening')

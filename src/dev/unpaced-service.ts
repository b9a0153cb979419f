import { readConfig } from '#config.ts'
import { startService } from '#service.ts'

/*
 * The service as main.ts starts it, but for an emulated code host: writes are not spread over seconds, as GitHub requires.
 * dev.ts and the demo start it in its own process, which may be killed. Its optional arguments: how many seconds the jobs of
 * a killed process wait for another, and how many milliseconds it keeps serving after SIGTERM.
 */

const read = readConfig(process.env)
if ('problems' in read) throw new Error(read.problems.join('\n'))

const [lease, lameDuckMs = '0'] = process.argv.slice(2)
const leaseSeconds = lease === undefined ? {} : { leaseSeconds: Number(lease) }
const service = await startService(read.config, { paced: false, ...leaseSeconds })
const stop = (): void => void service.stop({ lameDuckMs: Number(lameDuckMs) }).then(() => process.exit(0))
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
// The program that started it is gone, kill -9 included: nothing else would stop it.
process.once('disconnect', stop)

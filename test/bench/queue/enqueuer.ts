import { sides } from './sides.ts'

/*
 * A process that queues and has no worker. It first gets a contender and the database, then 'one' for each job, and answers
 * with the time of the call, on the clock that all processes of the machine share.
 */

const [name = '', url = ''] = process.argv.slice(2)
const side = await sides[name]?.(url)
if (!side) throw new Error(`there is no contender '${name}'`)

process.on('disconnect', () => void side.stop().finally(() => process.exit()))
process.on('message', async () => {
  const called = process.hrtime.bigint()
  await side.enqueue(1, 1, true)
  process.send?.({ called: String(called) })
})
process.send?.('ready')

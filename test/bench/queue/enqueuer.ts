import { sides } from './sides.ts'

/*
 * A process that queues and has no worker: told a contender and the database first, then 'one' for each job, it answers when
 * it was called, on the clock that all processes of the machine share.
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

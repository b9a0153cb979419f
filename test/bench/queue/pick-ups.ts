import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Side } from './side.ts'

/** When a job was requested, and when it was known to be queued; nanoseconds on the machine's clock. */
type Queued = { called: bigint; committed?: bigint }

/** The first statements are planned again, since the table was emptied. */
const unmeasured = 20

/** One job at a time, to an idle worker of this process; microseconds from `from` to the beginning of its handler, sorted. */
const pickUps = async (
  side: Side,
  jobs: number,
  queue: () => Promise<Queued>,
  from: keyof Queued,
): Promise<number[]> => {
  let began = (): void => {}
  const worker = await side.work(() => began())
  const costs: number[] = []
  for (let job = 0; job < jobs + unmeasured; job++) {
    const handled = new Promise<bigint>((resolve) => {
      began = () => resolve(process.hrtime.bigint())
    })
    const queued = await queue()
    costs.push(Math.max(1, Number((await handled) - (queued[from] ?? queued.called)) / 1000))
    // idle again: the completion is stored, and the look for more has found nothing
    while ((await side.left()) > 0) await wait(1)
    await wait(3)
  }
  await worker.stop()
  return costs.slice(unmeasured).sort((a, b) => a - b)
}

/**
 * Queued by the worker's process. Counted from the call, since a NOTIFY arrives before its sender hears of the commit:
 * counted from the commit, the figure would leave out time that the sender waited.
 */
export const ownPickUps = (side: Side, jobs: number, from: keyof Queued = 'called'): Promise<number[]> =>
  pickUps(
    side,
    jobs,
    async () => {
      const called = process.hrtime.bigint()
      await side.enqueue(1, 1)
      return { called, committed: process.hrtime.bigint() }
    },
    from,
  )

/** Queued by a process without a worker. */
export const othersPickUps = async (side: Side, name: string, url: string, jobs: number): Promise<number[]> => {
  const enqueuer = fork(join(import.meta.dirname, 'enqueuer.ts'), [name, url])
  await once(enqueuer, 'message')
  const costs = await pickUps(
    side,
    jobs,
    async () => {
      enqueuer.send('one')
      const [{ called }] = await once(enqueuer, 'message')
      return { called: BigInt(called) }
    },
    'called',
  )
  enqueuer.disconnect()
  await once(enqueuer, 'exit')
  return costs
}

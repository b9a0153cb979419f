import type { Test } from 'tap'
import { readConfig } from '#config.ts'
import { createLog } from '#log.ts'
import { type Replacements, type RunningService, startService } from '#service.ts'
import { watchLockOrder } from '#test/db/lock-order.ts'

/** Silent; SVC_TEST_LOG shows all. */
export const testLog = createLog({ level: process.env.SVC_TEST_LOG === undefined ? 'silent' : 'debug', format: 'text' })

/** An instance of the service in this process, stopped when the test ends. */
export const startInstance = async (
  t: Pick<Test, 'teardown'>,
  env: Record<string, string>,
  replaced: Replacements = {},
): Promise<RunningService> => {
  const read = readConfig(env)
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  const seam = watchLockOrder(t)
  const service = await startService(read.config, { paced: false, scheduled: false, log: testLog, seam, ...replaced })
  t.teardown(() => service.stop())
  return service
}

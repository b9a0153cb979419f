import { createConcurrencyGroups } from './concurrency.ts'
import type { ActionsEngine, RunnerHost } from './contract.ts'
import { type Grace, githubGrace } from './process-group.ts'
import { type Run, startRun } from './run.ts'
import { createSlots } from './slots.ts'

export type EngineOptions = {
  /** Jobs that run at the same time, over all runs. */
  runners?: number
  grace?: Grace
}

/** GitHub Actions on this machine: really runs workflow files, within the syntax that workflow/schema.ts knows. */
export const createActionsEngine = (host: RunnerHost, options: EngineOptions = {}): ActionsEngine => {
  const engine = {
    host,
    runners: createSlots(options.runners ?? 2),
    groups: createConcurrencyGroups(),
    grace: options.grace ?? githubGrace,
  }
  const running = new Set<Run>()
  let isClosed = false
  return {
    start: (request) => {
      if (isClosed) throw new Error('the Actions engine is closed')
      const run = startRun(engine, request)
      running.add(run)
      void run.done.finally(() => running.delete(run))
      return { id: request.id, done: run.done, cancel: run.cancel, killRunner: run.killRunner }
    },
    close: async () => {
      isClosed = true
      for (const run of running) run.kill()
      await Promise.all([...running].map((run) => run.done))
    },
  }
}

import { reportedStacks, sizesOfRun } from '#db/views/runs/reported-stacks.ts'
import type { RunView } from '#db/views/runs/run-view.ts'
import type { CheckRunWanted } from '#domain/checks/check-run.ts'
import { droppedCheckRun, isAggregate, isShown, weightOf } from '#domain/checks/check-run-order.ts'
import { stacksCheckRuns } from '#domain/checks/wanted-check-runs.ts'
import { createBreath, portionsOfBytes } from '#portions.ts'
import type { HandlerDeps, Stopping } from '../handler.ts'
import { longChecks } from './long-checks.ts'
import type { Checks, LongCheck } from './publish-checks.ts'
import { reportOfRun } from './report-of-run.ts'
import { readsWhole } from './whole-plans.ts'

/** A check run as it should be now. */
type Wanted = { stackId: string; check: CheckRunWanted; long: LongCheck | undefined }

/** One that is not so at the code host; without a stack, its stack or check is not part of the run any more. */
export type StaleCheck = { name: string; stackId?: string }

export type StackChecks = {
  /** Those that are to be written, in the order in which they matter. */
  stale(checks: Checks): Promise<StaleCheck[]>
  /** Such a one as it should be by now. */
  now(stale: StaleCheck): Promise<Omit<Wanted, 'stackId'> | undefined>
}

/**
 * The check runs of a run's stacks. They are made a portion of stacks at a time, and again when each is written: at the code host's pace that
 * takes hours of a large run, and with its texts one of 20,000 stacks would take some 200 MB.
 */
export const stackChecksOf = (deps: HandlerDeps & Stopping, run: RunView): StackChecks => {
  const read = readsWhole(deps)
  const wantedOf = async function* (stackIds: readonly string[]): AsyncGenerator<Wanted> {
    const report = reportOfRun(deps.baseUrl, run, await reportedStacks(deps.pool, { runId: run.id, stackIds }))
    const longOf = longChecks(deps, report, read)
    for (const { stack, check } of stacksCheckRuns(report)) {
      yield { stackId: stack.stack_id, check, long: longOf(check) }
    }
  }
  return {
    stale: async (checks) => {
      const stale: (StaleCheck & { weight: number })[] = []
      const names = new Set<string>()
      const sizes = await sizesOfRun(deps.pool, run.id)
      const breath = createBreath()
      for (const portion of portionsOfBytes(sizes)) {
        for await (const { stackId, check, long } of wantedOf(portion.map((one) => one.stackId))) {
          names.add(check.name)
          if (isShown(check, sizes.length) && checks.isChanged(check, long))
            stale.push({ name: check.name, stackId, weight: weightOf(check) })
          await breath()
        }
      }
      const dropped = checks.made.filter((name) => !isAggregate(name) && !names.has(name)).map((name) => ({ name }))
      return [...stale.sort((one, other) => one.weight - other.weight), ...dropped]
    },
    now: async ({ name, stackId }) => {
      if (stackId === undefined)
        return { check: droppedCheckRun(reportOfRun(deps.baseUrl, run, []).run, name), long: undefined }
      for await (const wanted of wantedOf([stackId])) if (wanted.check.name === name) return wanted
      return undefined
    },
  }
}

import { existsSync } from 'node:fs'
import { type ReadPlan, readPlan } from '../plan/read-plan.ts'
import { Failed } from '../tool/failed.ts'
import type { Ended } from '../tool/run-program.ts'
import type { StackWork } from '../tool/run-tool.ts'

/**
 * Reads the plan that a plan run saved and the workflow downloaded. Undefined, with the reason in the log, if there is none to
 * use: it was never saved, it has expired, or this version of the tool cannot read it.
 */
export const savedPlan = async (stack: StackWork): Promise<ReadPlan | undefined> => {
  const { job, work, output } = stack
  const file = work.saved(job.key)
  // A file that the dispatch does not name was left by another job, maybe for another commit.
  if (job.artifact === undefined) return undefined
  if (!existsSync(file)) {
    output.warn(`${job.key}: the saved plan ${job.artifact} is not there, it may have expired: planning again`)
    return undefined
  }
  try {
    const saved = await readPlan(stack, file)
    await output.group(`saved plan ${job.artifact} (${job.key})`, async () => {
      output.print(saved.told.plan_text ?? 'plan_output is summary: the plan is not shown\n')
    })
    return saved
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    output.warn(`${job.key}: the saved plan ${job.artifact} cannot be read: planning again. ${error.message}`)
    return undefined
  }
}

/**
 * Titles of the errors with which the tool refuses a saved plan before it changes anything: the state, its lineage or the
 * providers are not those that the plan was made with. Source: github.com/hashicorp/terraform,
 * internal/backend/local/backend_local.go; OpenTofu has the same.
 */
const STALE =
  /^[^\w\n\r\u2028\u2029]*Error: (Saved plan is stale|Saved plan does not match the given state|Inconsistent dependency lock file)/m

export const isStale = ({ code, stdout, stderr }: Ended): boolean => code !== 0 && STALE.test(`${stderr}\n${stdout}`)

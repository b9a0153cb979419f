import { limits } from '#domain/limits.ts'
import type { StackResult } from '#domain/result.ts'
import { Problem } from '#errors.ts'
import { type ExitCode, exit, exitOf } from '../exit.ts'
import { type HeldResult, holdResult } from '../job/held-result.ts'
import type { WorkDir } from '../job/work-dir.ts'
import { cutBeginning, cutEnd } from '../mask/sendable-text.ts'
import type { Output } from '../output/output.ts'
import { isUnreachable } from '../service/attempts.ts'
import { describeProblem } from '../service/describe-problem.ts'
import type { Service } from '../service/service.ts'

/** `reported`: the service has it. `kept`: the service cannot be reached or there is no run; the result stays in its file. */
export type Reported = { outcome: 'reported' | 'kept' | 'refused'; code: ExitCode }

const bytesOf = (result: StackResult): number => Buffer.byteLength(JSON.stringify(result))

const shorter = ({ summary, ...rest }: StackResult, most: number): StackResult => {
  if (summary === undefined) return rest
  const { added, changed, destroyed, replaced, ...counts } = summary
  const lists = Object.entries({ added, changed, destroyed, replaced })
    .filter(([, list]) => list !== undefined)
    .map(([name, list]) => [name, list?.slice(0, most)])
  return { ...rest, summary: { ...counts, ...Object.fromEntries(lists) } }
}

/**
 * Cuts a result down to the service's limit of 1 MB. The text and the lists are bounded already, but hundreds of long addresses
 * or a text full of quotes can still be too much together. Counts stay exact.
 */
export const fitResult = (result: StackResult, most: number = limits.bodyBytes): StackResult => {
  if (bytesOf(result) <= most) return result
  const listed = shorter(result, 50)
  if (bytesOf(listed) <= most) return listed
  const { plan_text: text, error_text: error, ...rest } = shorter(result, 0)
  return {
    ...rest,
    ...(text === undefined ? {} : { plan_text: cutEnd(text, most / 8).text, truncated: true }),
    ...(error === undefined ? {} : { error_text: cutBeginning(error, most / 64) }),
  }
}

/** Reports one result and notes that it did. A refusal by the service is not thrown: a job may have more to report. */
export const reportHeld = async (
  held: HeldResult,
  { service, work, output }: { service: Service | undefined; work: WorkDir; output: Output },
): Promise<Reported> => {
  const { key, run_id: runId, result } = held
  if (service === undefined) return { outcome: 'kept', code: exit.ok }
  if (runId === undefined) {
    output.warn(`${key}: svc resolve registered no run, so nothing is reported: the plan is unconfirmed`)
    return { outcome: 'kept', code: exit.ok }
  }
  try {
    const row = await service.reportResult(runId, key, fitResult(result))
    await holdResult(work, { ...held, reported: true })
    output.print(`${key}: reported, ${row.status}\n`)
    return { outcome: 'reported', code: exit.ok }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const isKept: boolean = isUnreachable(error)
    if (isKept) {
      output.warn(`${error.message}. The result of ${key} is unconfirmed and kept in ${work.result(key)}`)
      return { outcome: 'kept', code: exit.error }
    }
    if (result.unconfirmed === true && error.code === 'not_found') {
      output.warn(`${key}: the run never got its graph, so it takes no result: the plan is unconfirmed`)
      return { outcome: 'kept', code: exit.ok }
    }
    output.fail(describeProblem(error))
    return { outcome: 'refused', code: exitOf(error) }
  }
}

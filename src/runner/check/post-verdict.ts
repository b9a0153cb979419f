import type { CheckVerdict } from '#api/runs/check.ts'
import { Problem } from '#errors.ts'
import type { Context } from '../command.ts'
import { type ExitCode, exit, exitOf } from '../exit.ts'
import type { Session } from '../job/session.ts'
import { isUnreachable } from '../service/attempts.ts'
import { describeProblem } from '../service/describe-problem.ts'

type Verdict = CheckVerdict & { name: string }

/** `posted`: the service has it, or there is none to tell. `unheard`: it cannot be reached. */
export type Posted = { outcome: 'posted' | 'unheard' | 'refused'; code: ExitCode }

/** Posts a verdict. The service's answer is logged, and returned with its exit status. */
export const postVerdict = async (
  { service, runId }: Pick<Session, 'service' | 'runId'>,
  key: string,
  { name, ...verdict }: Verdict,
  { environment, output }: Context,
): Promise<Posted> => {
  const posted: Posted = { outcome: 'posted', code: exit.ok }
  if (service === undefined) return posted
  if (runId === undefined) {
    output.warn(`${key}: svc resolve registered no run, so the verdict of ${name} is not posted`)
    return posted
  }
  try {
    await service.postCheck(runId, key, name, verdict)
    return posted
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const code = exitOf(error)
    const isUnheard: boolean = isUnreachable(error)
    if (isUnheard) {
      output.warn(`${error.message}. The verdict of ${name} on ${key} is not posted`)
      return { outcome: 'unheard', code }
    }
    if (environment.isUnconfirmed && error.code === 'not_found') {
      output.warn(`${key}: the run never got its graph, so it takes no verdict of ${name}`)
      return posted
    }
    output.fail(describeProblem(error))
    return { outcome: 'refused', code }
  }
}

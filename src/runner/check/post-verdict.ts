import type { CheckVerdict } from '#api/runs/check.ts'
import { Problem } from '#errors.ts'
import type { Context } from '../command.ts'
import { type ExitCode, exit, exitOf } from '../exit.ts'
import type { Session } from '../job/session.ts'
import { isUnreachable } from '../service/attempts.ts'
import { describeProblem } from '../service/describe-problem.ts'

type Verdict = CheckVerdict & { name: string }

/** Posts a verdict. The service's answer is logged, and returned as an exit status. */
export const postVerdict = async (
  { service, runId }: Pick<Session, 'service' | 'runId'>,
  key: string,
  { name, ...verdict }: Verdict,
  { output }: Context,
): Promise<ExitCode> => {
  if (service === undefined) return exit.ok
  if (runId === undefined) {
    output.warn(`${key}: svc resolve registered no run, so the verdict of ${name} is not posted`)
    return exit.ok
  }
  try {
    await service.postCheck(runId, key, name, verdict)
    return exit.ok
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (isUnreachable(error)) output.warn(`${error.message}. The verdict of ${name} on ${key} is not posted`)
    else output.fail(describeProblem(error))
    return exitOf(error)
  }
}

import type { RepoRef } from '#codehost/port.ts'
import { checkRunsOf, putCheckRun } from '#db/runs/sent-check-runs.ts'
import type { CheckRunWanted } from '#domain/checks/check-run.ts'
import type { HandlerDeps, Stopping } from '../handler.ts'
import { digestOf } from './digest.ts'

/** Writes these check runs if they are new or changed; returns how many it wrote. */
export type WriteChecks = (wanted: readonly CheckRunWanted[]) => Promise<number>

/**
 * A check run that shows the beginning of a plan: the hash of the whole, and the check run with the whole, if that can be read
 * now.
 */
export type LongCheck = { hash: string; whole(): Promise<CheckRunWanted | undefined> }

/**
 * The digest of what was sent is remembered, so only changes are sent. A check run that is not remembered is searched for on
 * the code host before it is created: a worker may have died between creating and remembering it. Also returns the names of
 * all check runs made for the run. `longOf` knows the check runs with long plans: their plans are read only when they are
 * sent, and the digest is made from the beginning and the hash.
 */
export const openChecks = async (
  deps: HandlerDeps & Stopping,
  run: RepoRef & { id: string; sha: string },
  longOf: (check: CheckRunWanted) => LongCheck | undefined,
): Promise<{ made: string[]; write: WriteChecks }> => {
  const known = await checkRunsOf(deps.pool, run.id)
  let listed: ReturnType<typeof deps.codehost.listCheckRuns> | undefined
  const find = async (check: CheckRunWanted): Promise<number | undefined> => {
    listed ??= deps.codehost.listCheckRuns(run, run.sha)
    return (await listed).find((other) => other.name === check.name && other.externalId === check.externalId)?.id
  }
  const write: WriteChecks = async (wanted) => {
    let written = 0
    for (const check of wanted) {
      deps.signal.throwIfAborted()
      const made = known.get(check.name)
      const long = longOf(check)
      const wholeDigest = long ? digestOf([check, long.hash]) : digestOf(check)
      if (made?.digest === wholeDigest) continue
      const whole = long ? await long.whole() : check
      // sent without its end, it is remembered as that, and fixed when the bucket can be read again
      const digest = whole ? wholeDigest : digestOf(check)
      if (made?.digest === digest) continue
      const sent = whole ?? check
      const id = made?.check_run_id ?? (await find(check))
      // false: the code host deletes old ones itself
      const updated = id !== undefined && (await deps.codehost.updateCheckRun(run, id, sent))
      const checkRunId = updated ? id : await deps.codehost.createCheckRun(run, sent)
      await putCheckRun(deps.pool, run.id, { name: check.name, check_run_id: checkRunId, digest })
      written += 1
    }
    return written
  }
  return { made: [...known.keys()], write }
}

import type { RepoRef } from '#codehost/port.ts'
import { checkRunsOf, putCheckRun } from '#db/check-runs.ts'
import type { CheckRunWanted } from '#domain/check-run.ts'
import { digestOf } from './digest.ts'
import type { HandlerDeps, Stopping } from './handler.ts'

/** Writes these check runs where they say something else, or nothing yet; answers how many. */
export type WriteChecks = (wanted: readonly CheckRunWanted[]) => Promise<number>

/** A check run that shows the beginning of a plan: the hash of the whole, and how it would be with it, if that can be read now. */
export type LongCheck = { hash: string; whole(): Promise<CheckRunWanted | undefined> }

/**
 * What was sent is remembered by its digest, so that only what changed is sent; what is not remembered is looked for on the
 * code host before it is made, since a worker may have died between making it and remembering it. Answers also the names of
 * all that were made for the run. `longOf` knows the check runs whose plans are long: those are read only when they are sent,
 * and the digest is of the beginning and the hash.
 */
export const openChecks = async (
  deps: HandlerDeps & Stopping,
  repo: RepoRef,
  run: { id: string; sha: string },
  longOf: (check: CheckRunWanted) => LongCheck | undefined,
): Promise<{ made: string[]; write: WriteChecks }> => {
  const known = await checkRunsOf(deps.pool, run.id)
  let listed: ReturnType<typeof deps.codehost.listCheckRuns> | undefined
  const find = async (check: CheckRunWanted): Promise<number | undefined> => {
    listed ??= deps.codehost.listCheckRuns(repo, run.sha)
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
      // sent without its end, it is remembered as such, and mended when the bucket can be read again
      const digest = whole ? wholeDigest : digestOf(check)
      if (made?.digest === digest) continue
      const sent = whole ?? check
      const id = made?.check_run_id ?? (await find(check))
      // false: the code host deletes old ones itself
      const updated = id !== undefined && (await deps.codehost.updateCheckRun(repo, id, sent))
      const checkRunId = updated ? id : await deps.codehost.createCheckRun(repo, sent)
      await putCheckRun(deps.pool, run.id, { name: check.name, check_run_id: checkRunId, digest })
      written += 1
    }
    return written
  }
  return { made: [...known.keys()], write }
}

import type { RepoRef } from '#codehost/port.ts'
import { checkRunsOf, putCheckRun } from '#db/runs/sent-check-runs.ts'
import type { CheckRunWanted } from '#domain/checks/check-run.ts'
import type { HandlerDeps, Stopping } from '../handler.ts'
import { digestOf } from './digest.ts'

export type Checks = {
  /** The names of all check runs made for the run. */
  made: string[]
  /** Whether it is new, or has changed since it was sent. */
  isChanged(check: CheckRunWanted, long?: LongCheck): boolean
  /** Writes it if it is, and returns whether it did. */
  write(check: CheckRunWanted, long?: LongCheck): Promise<boolean>
}

/**
 * A check run whose text was not read, or only its beginning: what identifies the whole, and the check run with the whole, if
 * that can be read now.
 */
export type LongCheck = { hash: string; whole(): Promise<CheckRunWanted | undefined> }

type CheckedRun = RepoRef & { id: string; sha: string }

/** Looks for check runs on the code host, which is asked once for all. */
const searches = ({ codehost }: HandlerDeps, run: CheckedRun) => {
  let listed: ReturnType<typeof codehost.listCheckRuns> | undefined
  return async ({ name, externalId }: CheckRunWanted): Promise<number | undefined> => {
    listed ??= codehost.listCheckRuns(run, run.sha)
    return (await listed).find((other) => other.name === name && other.externalId === externalId)?.id
  }
}

/**
 * The digest of what was sent is remembered, so only changes are sent. A check run that is not remembered is searched for on
 * the code host before it is created: a worker may have died between creating and remembering it. Of one with a long text the
 * digest is made from the beginning and the hash, and the whole is read only when it is sent.
 */
export const openChecks = async (deps: HandlerDeps & Stopping, run: CheckedRun): Promise<Checks> => {
  const known = await checkRunsOf(deps.pool, run.id)
  const search = searches(deps, run)
  /** What is remembered of a check run that is up to date. */
  const digestWanted = (check: CheckRunWanted, long: LongCheck | undefined): string =>
    long ? digestOf([check, long.hash]) : digestOf(check)
  const isChanged: Checks['isChanged'] = (check, long) => known.get(check.name)?.digest !== digestWanted(check, long)
  return {
    made: [...known.keys()],
    isChanged,
    write: async (check, long) => {
      if (!isChanged(check, long)) return false
      deps.signal.throwIfAborted()
      const made = known.get(check.name)
      const whole = long ? await long.whole() : check
      // sent without its end, it is remembered as that, and fixed when the bucket can be read again
      const digest = whole ? digestWanted(check, long) : digestOf(check)
      if (made?.digest === digest) return false
      const sent = whole ?? check
      const id = made?.check_run_id ?? (await search(check))
      // false: the code host deletes old ones itself
      const updated = id !== undefined && (await deps.codehost.updateCheckRun(run, id, sent))
      const checkRunId = updated ? id : await deps.codehost.createCheckRun(run, sent)
      await putCheckRun(deps.pool, run.id, { name: check.name, check_run_id: checkRunId, digest })
      return true
    },
  }
}

import type { RepoRef } from '#codehost/port.ts'
import { checkRunsOf, putCheckRun } from '#db/runs/sent-check-runs.ts'
import type { CheckRunWanted } from '#domain/checks/check-run.ts'
import { createBreath } from '#portions.ts'
import type { HandlerDeps, Stopping } from '../handler.ts'
import { digestOf } from './digest.ts'

export type Checks = {
  /** The names of all check runs made for the run. */
  made: string[]
  /** Those that are new, or have changed since they were sent. */
  changed(wanted: readonly CheckRunWanted[]): Promise<CheckRunWanted[]>
  /** Writes those, one after another while `goesOn`. */
  write(wanted: readonly CheckRunWanted[], goesOn?: () => boolean): Promise<{ written: number; isLeft: boolean }>
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
 * the code host before it is created: a worker may have died between creating and remembering it. `longOf` knows the check
 * runs with long texts: these are read only when they are sent, and the digest is made from the beginning and the hash.
 */
export const openChecks = async (
  deps: HandlerDeps & Stopping,
  run: CheckedRun,
  longOf: (check: CheckRunWanted) => LongCheck | undefined,
): Promise<Checks> => {
  const known = await checkRunsOf(deps.pool, run.id)
  const search = searches(deps, run)
  const breath = createBreath()
  /** What is remembered of a check run that is up to date. */
  const digestWanted = (check: CheckRunWanted, long = longOf(check)): string =>
    long ? digestOf([check, long.hash]) : digestOf(check)
  const isChanged = (check: CheckRunWanted): boolean => known.get(check.name)?.digest !== digestWanted(check)
  /** Whether something was sent. */
  const writeOne = async (check: CheckRunWanted): Promise<boolean> => {
    const made = known.get(check.name)
    const long = longOf(check)
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
  }
  return {
    made: [...known.keys()],
    changed: async (wanted) => {
      const changed: CheckRunWanted[] = []
      for (const check of wanted) {
        if (isChanged(check)) changed.push(check)
        await breath()
      }
      return changed
    },
    write: async (wanted, goesOn = () => true) => {
      let written = 0
      for (const check of wanted) {
        await breath()
        if (!isChanged(check)) continue
        deps.signal.throwIfAborted()
        if (!goesOn()) return { written, isLeft: true }
        if (await writeOne(check)) written += 1
      }
      return { written, isLeft: false }
    },
  }
}

import type { RepoRef } from '#codehost/port.ts'
import { type CheckRunRow, type ChosenCheckRuns, checkRunsOf, putCheckRun } from '#db/runs/sent-check-runs.ts'
import type { CheckRunWanted } from '#domain/checks/check-run.ts'
import type { HandlerDeps, Stopping } from '../handler.ts'
import { digestOf } from './digest.ts'

export type Checks = {
  /** Some of those that are remembered: only of these it is known what was sent. */
  recall(chosen: ChosenCheckRuns): Promise<readonly CheckRunRow[]>
  /** Writes it if it is new, or has changed since it was sent. */
  write(check: CheckRunWanted, of?: { stackId?: string | undefined; long?: LongCheck | undefined }): Promise<Written>
}

/** Cut: what is at the code host lacks its end, which cannot be read now. */
export type Written = 'unchanged' | 'written' | 'cut'

/**
 * A check run whose text was not read, or only its beginning: what identifies the whole, and the check run with the whole, if
 * that can be read now.
 */
export type LongCheck = { hash: string; whole(): Promise<CheckRunWanted | undefined> }

type CheckedRun = RepoRef & { id: string; sha: string }

/**
 * Looks for a check run on the code host by its name. One list for all of them grows with the run: of a commit with 1,000, each turn of five
 * seconds read all and wrote one.
 */
const search = async (
  { codehost }: HandlerDeps,
  run: CheckedRun,
  { name, externalId }: CheckRunWanted,
): Promise<number | undefined> => {
  const listed = await codehost.listCheckRuns(run, { sha: run.sha, name })
  return listed.find((other) => other.name === name && other.externalId === externalId)?.id
}

/**
 * The digest of what was sent is remembered, so only changes are sent. A check run that is not remembered is searched for on
 * the code host before it is created: a worker may have died between creating and remembering it. Of one with a long text the
 * digest is made from the beginning and the hash, and the whole is read only when it is sent.
 */
export const openChecks = (deps: HandlerDeps & Stopping, run: CheckedRun): Checks => {
  const known = new Map<string, CheckRunRow>()
  const send = async (check: CheckRunWanted, made: CheckRunRow | undefined): Promise<number> => {
    const id = made?.check_run_id ?? (await search(deps, run, check))
    // false: the code host deletes old ones itself
    const updated = id !== undefined && (await deps.codehost.updateCheckRun(run, id, check))
    return updated ? id : deps.codehost.createCheckRun(run, check)
  }
  return {
    recall: async (chosen) => {
      const rows = await checkRunsOf(deps.pool, run.id, chosen)
      for (const row of rows) known.set(row.name, row)
      return rows
    },
    write: async (check, { stackId, long } = {}) => {
      const made = known.get(check.name)
      const wanted = long ? digestOf([check, long.hash]) : digestOf(check)
      if (made?.digest === wanted) {
        // from before it was remembered whose it is
        if (stackId !== undefined && made.stack_id !== stackId)
          await putCheckRun(deps.pool, run.id, { ...made, stack_id: stackId })
        return 'unchanged'
      }
      deps.signal.throwIfAborted()
      const whole = long ? await long.whole() : check
      // sent without its end, it is remembered as that, and fixed when the bucket can be read again
      const digest = whole ? wanted : digestOf(check)
      if (made?.digest === digest) return 'cut'
      const id = await send(whole ?? check, made)
      const row = { name: check.name, check_run_id: id, digest, stack_id: stackId ?? made?.stack_id ?? null }
      await putCheckRun(deps.pool, run.id, row)
      return whole ? 'written' : 'cut'
    },
  }
}

import { readRepoConfig } from '#commands/policy/read-repo-config.ts'
import { timeOfDatabase } from '#db/moment.ts'
import type { RunView } from '#db/views/runs/run-view.ts'
import type { ParsedConfig } from '#domain/config/config-file.ts'
import { keptBy, keptText, opensText } from '#domain/gate/windows.ts'
import { Problem } from '#errors.ts'
import type { HandlerDeps } from '../handler.ts'

/** The policy of a run's repository, read from the code host when it is first asked for, and once. */
export type ReadPolicy = (repoId: number) => Promise<ParsedConfig | undefined>

export const readsPolicy = (deps: HandlerDeps): ReadPolicy => {
  let read: Promise<ParsedConfig | undefined> | undefined
  return (repoId) => {
    read ??= deps.findRepository(repoId).then((repository) => repository && readRepoConfig(deps, repository))
    return read
  }
}

/** What became of the plan is shown though the code host does not give the policy. */
const undefinedIfUnread = (error: unknown): undefined => {
  if (!(error instanceof Problem)) throw error
}

/**
 * What a finished plan says of windows that are shut while it is shown: no apply of it begins before they open. True for ever, as it
 * names the time.
 */
export const closedNote = async (
  { pool }: Pick<HandlerDeps, 'pool'>,
  run: RunView,
  policyOf: ReadPolicy,
): Promise<string | undefined> => {
  if (run.mode !== 'plan' || run.status !== 'planned' || run.pr_number === null || run.waves === 0) return undefined
  const policy = await policyOf(run.repo_id).catch(undefinedIfUnread)
  if (!policy?.ok || policy.config.apply.windows.length === 0) return undefined
  // excepted are those who ask, and nobody asks here
  const asker = { owner: run.owner, memberships: [] }
  const kept = keptBy(policy.config.apply.windows, asker, await timeOfDatabase(pool))
  if (kept === undefined) return undefined
  const opens = opensText(kept)
  return `Applies wait${opens === undefined ? '' : ` until ${opens}`}: ${keptText(kept)}`
}

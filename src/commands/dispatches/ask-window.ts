import { soonAgain } from '#codehost/retry-after.ts'
import { readRepoConfig } from '#commands/policy/read-repo-config.ts'
import { timeOfDatabase } from '#db/moment.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import { transact } from '#db/transact.ts'
import { findRunView, type RunView } from '#db/views/runs/run-view.ts'
import type { Membership } from '#domain/gate/facts.ts'
import { exceptedTeams, keepsWaves, keptBy, keptText, opensText } from '#domain/gate/windows.ts'
import type { Deps } from '../deps.ts'

type Answer =
  | { type: 'wave.cleared'; wave: number }
  | { type: 'wave.held'; wave: number; seconds: number; message: string }

/** Who changes the policy meanwhile does not wait for the end that a window had before. */
const mostSeconds = 3600
const unreadableSeconds = 5 * 60

/**
 * Tells an apply whether its next wave may begin, by the windows of the default branch that hold waves and the time of the database.
 * A policy that cannot be read holds it: nothing begins on a guess. False for a run that does not wait any more.
 */
export const askWindow = async (deps: Deps, runId: string, cause: string | null): Promise<boolean> => {
  const run = await findRunView(deps.pool, runId)
  const repository = run && (await deps.findRepository(run.repo_id))
  if (!run || !repository || run.status !== 'applying') return false
  const event = await answerTo(deps, run, repository).catch(soonAgain)
  await transact(deps.pool, (tx) =>
    deps.runtime.sendAll(tx, [{ to: { kind: 'run', id: runId }, event, actor: 'system', cause: cause ?? undefined }]),
  )
  deps.runtime.wake()
  return true
}

const answerTo = async (
  deps: Deps,
  { current_wave: wave, requested_by }: RunView,
  repository: Repository,
): Promise<Answer> => {
  const policy = await readRepoConfig(deps, repository)
  const name = `wave ${wave + 1}`
  if (!policy.ok) {
    const message = `${name} is held: svc.yml of the default branch is invalid, so it is not known whether it may begin`
    return { type: 'wave.held', wave, seconds: unreadableSeconds, message }
  }
  const at = await timeOfDatabase(deps.pool)
  const windows = policy.config.apply.windows
  const counts = keepsWaves(windows)
  const memberships = await membershipsOf(
    deps,
    repository,
    requested_by,
    exceptedTeams(windows.filter(counts), repository.owner, at),
  )
  const kept = keptBy(windows, { owner: repository.owner, requester: requested_by, memberships }, at, counts)
  if (kept === undefined) return { type: 'wave.cleared', wave }
  const { opensAt } = kept
  const seconds = opensAt === undefined ? mostSeconds : Math.ceil((+opensAt - +at) / 1000)
  const until = opensAt === undefined ? '' : ` until ${opensText(kept)}`
  const message = `${name} is held${until}: ${keptText(kept)}. It begins by itself`
  return { type: 'wave.held', wave, seconds: Math.min(Math.max(seconds, 1), mostSeconds), message }
}

const membershipsOf = (
  { codehost }: Deps,
  { installation_id: installationId }: Repository,
  login: string,
  teams: readonly string[],
): Promise<Membership[]> =>
  Promise.all(
    teams.map(async (team) => {
      const [org = '', slug = ''] = team.split('/')
      return { team, login, member: (await codehost.isTeamMember(installationId, { org, slug }, login)) ?? null }
    }),
  )

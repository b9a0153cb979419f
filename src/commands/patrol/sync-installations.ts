import type { Installation } from '#codehost/port.ts'
import { RetryAfter } from '#codehost/retry-after.ts'
import { isDatabaseDown } from '#db/database-trouble.ts'
import {
  findOpenInstallation,
  type InstallationRow,
  pausedInstallations,
  putInstallations,
  removeInstallationsExcept,
} from '#db/repositories/installations.ts'
import { movedRepositories, moveRepository } from '#db/repositories/move-repository.ts'
import { putRepositories, removeRepositoriesExcept } from '#db/repositories/repositories.ts'
import { transact } from '#db/transact.ts'
import type { Deps } from '../deps.ts'

type SyncDeps = Pick<Deps, 'pool' | 'codehost' | 'log'> & { signal: AbortSignal }

/**
 * Brings the known installations and repositories in line with the code host's lists. Runs at start-up, daily, and when a
 * delivery says that something changed: reading again is safer than trusting the order of deliveries. Returns the
 * installations whose repositories could not be read, and when to ask again: they do not hold up the others.
 */
export const syncInstallations = async (deps: SyncDeps): Promise<{ id: number; seconds: number }[]> => {
  const installations = await deps.codehost.listInstallations()
  await transact(deps.pool, async (tx) => {
    await putInstallations(tx, installations.map(rowOf))
    await removeInstallationsExcept(
      tx,
      installations.map((installation) => installation.id),
    )
  })
  const paused = await pausedInstallations(deps.pool)
  const failed: { id: number; seconds: number }[] = []
  for (const installation of installations) {
    deps.signal.throwIfAborted()
    // a suspended installation gives no token, and what is paused is another service's: its repositories stay as they were
    if (installation.suspendedAt !== null || paused.has(installation.id)) continue
    try {
      await syncRepositories(deps, installation)
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      failed.push({ id: installation.id, seconds: error instanceof RetryAfter ? error.seconds : 60 })
      deps.log.warn({ err: error, account: installation.accountLogin }, 'an installation could not be synchronised')
    }
  }
  return failed
}

/** Synchronises the repositories of one installation, if it still exists and gives a token. */
export const syncInstallation = async (deps: Omit<SyncDeps, 'signal'>, id: number): Promise<boolean> => {
  const installation = await findOpenInstallation(deps.pool, id)
  if (!installation) return false
  await syncRepositories(deps, { id, accountLogin: installation.account_login })
  return true
}

const rowOf = ({ id, accountId, accountLogin, accountType, suspendedAt }: Installation): InstallationRow => ({
  id,
  account_id: accountId,
  account_login: accountLogin,
  account_type: accountType,
  suspended_at: suspendedAt === null ? null : new Date(suspendedAt),
})

const syncRepositories = async (
  deps: Pick<SyncDeps, 'pool' | 'codehost' | 'log'>,
  installation: Pick<Installation, 'id' | 'accountLogin'>,
): Promise<void> => {
  const repositories = await deps.codehost.listRepositories(installation.id)
  const rows = repositories.map(({ defaultBranch, ...repository }) => ({
    ...repository,
    installation_id: installation.id,
    default_branch: defaultBranch,
  }))
  // one at a time: each has a lifetime of runs to take along
  for (const moved of await movedRepositories(deps.pool, rows)) {
    await transact(deps.pool, (tx) => moveRepository(tx, moved))
    deps.log.info({ repository: moved.id, from: moved.installation_id, to: moved.to }, 'a repository has moved')
  }
  await transact(deps.pool, async (tx) => {
    await putRepositories(tx, rows)
    await removeRepositoriesExcept(
      tx,
      installation.id,
      repositories.map((repository) => repository.id),
    )
  })
  deps.log.info({ account: installation.accountLogin, repositories: repositories.length }, 'installation synchronised')
}

import type { Installation } from '#codehost/port.ts'
import { putInstallations, removeInstallationsExcept } from '#db/installations.ts'
import { putRepositories, removeRepositoriesExcept } from '#db/repositories.ts'
import { transact } from '#db/transact.ts'
import type { Deps } from './deps.ts'

type SyncDeps = Pick<Deps, 'pool' | 'codehost' | 'log'>

/**
 * Makes the installations and repositories known here those that the code host lists. Runs at start-up and whenever a
 * delivery says that something changed: reading anew beats trusting the order in which deliveries arrive.
 */
export const syncInstallations = async (deps: SyncDeps): Promise<void> => {
  const installations = await deps.codehost.listInstallations()
  await transact(deps.pool, async (tx) => {
    await putInstallations(tx, installations.map(rowOf))
    await removeInstallationsExcept(
      tx,
      installations.map((installation) => installation.id),
    )
  })
  for (const installation of installations) {
    // a suspended installation gives no token: its repositories stay as they were
    if (installation.suspendedAt === null) await syncRepositories(deps, installation)
  }
}

const rowOf = (installation: Installation) => ({
  ...installation,
  suspendedAt: installation.suspendedAt === null ? null : new Date(installation.suspendedAt),
})

const syncRepositories = async (deps: SyncDeps, installation: Installation): Promise<void> => {
  const repositories = await deps.codehost.listRepositories(installation.id)
  await transact(deps.pool, async (tx) => {
    await putRepositories(
      tx,
      repositories.map((repository) => ({ ...repository, installationId: installation.id })),
    )
    await removeRepositoriesExcept(
      tx,
      installation.id,
      repositories.map((repository) => repository.id),
    )
  })
  deps.log.info({ account: installation.accountLogin, repositories: repositories.length }, 'installation synchronised')
}

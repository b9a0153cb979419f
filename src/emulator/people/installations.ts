import type { AccessLevel, Installation, Repository } from '#emulator/records.ts'
import { accountOf, repositoryNamed } from '#emulator/store.ts'
import { emitInstallation, emitInstallationRepositories } from '#emulator/webhooks/events.ts'
import type { World } from '#emulator/world.ts'

export type InstallationOptions = {
  account: string
  type: 'User' | 'Organization'
  /** Names of existing repositories; if left out, all of the account, later ones too. */
  repositories?: string[]
  /** The permissions the owner has granted, if they differ from those the app asks for. */
  permissions?: Record<string, AccessLevel>
}

/** Installs the app on an account. */
export const install = (world: World, options: InstallationOptions): Installation => {
  const { store, app } = world
  const now = world.clock()
  const account = accountOf(store, options.account, options.type, now)
  if ([...store.installations.values()].some((installation) => installation.account === account)) {
    throw new Error(`the app is installed on ${options.account} already`)
  }
  const chosen = options.repositories?.map((name) => repositoryNamed(store, `${account.login}/${name}`).id)
  const installation: Installation = {
    id: store.newId(),
    account,
    repositoryIds: chosen && new Set(chosen),
    permissions: { ...(options.permissions ?? app.permissions) },
    events: [...app.events],
    createdAt: now,
    updatedAt: now,
    suspendedAt: null,
  }
  store.installations.set(installation.id, installation)
  emitInstallation(world, installation, 'created')
  return installation
}

/** Adds a repository to an installation that was limited to some. */
export const addRepository = (world: World, installation: Installation, repository: Repository): void => {
  installation.repositoryIds?.add(repository.id)
  installation.updatedAt = world.clock()
  emitInstallationRepositories(world, installation, 'added', [repository])
}

/**
 * Takes a repository out of an installation's sight; an installation that sees all of the account cannot be narrowed this
 * way.
 */
export const removeRepository = (world: World, installation: Installation, repository: Repository): void => {
  if (!installation.repositoryIds?.delete(repository.id)) {
    throw new Error(`${repository.name} is not among the chosen repositories of installation ${installation.id}`)
  }
  installation.updatedAt = world.clock()
  emitInstallationRepositories(world, installation, 'removed', [repository])
}

export const suspend = (world: World, installation: Installation, suspended: boolean): void => {
  installation.suspendedAt = suspended ? world.clock() : null
  emitInstallation(world, installation, suspended ? 'suspend' : 'unsuspend')
}

/** The owner grants the permissions that the app newly asks for, or fewer than it had. Older tokens keep their permissions. */
export const setPermissions = (
  world: World,
  installation: Installation,
  permissions: Record<string, AccessLevel>,
): void => {
  installation.permissions = { ...permissions }
  installation.updatedAt = world.clock()
  emitInstallation(world, installation, 'new_permissions_accepted')
}

/** Uninstalls the app: its tokens end at once. */
export const uninstall = (world: World, installation: Installation): void => {
  emitInstallation(world, installation, 'deleted')
  world.store.installations.delete(installation.id)
}

import { addRepository, removeRepository, setPermissions, suspend, uninstall } from '#emulator/people/installations.ts'
import type { AccessLevel, Installation } from '#emulator/records.ts'
import { repositoryNamed } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'

/** What the owner of an installation does with it; repositories by owner/name. */
export type InstallationHandle = {
  id: number
  accountId: number
  addRepository(repo: string): void
  removeRepository(repo: string): void
  suspend(): void
  unsuspend(): void
  uninstall(): void
  /** Replaces all permissions, by name: `{ actions: 'write' }`. */
  setPermissions(permissions: Record<string, AccessLevel>): void
}

export const installationHandle = (world: World, installation: Installation): InstallationHandle => ({
  id: installation.id,
  accountId: installation.account.id,
  addRepository: (repo) => addRepository(world, installation, repositoryNamed(world.store, repo)),
  removeRepository: (repo) => removeRepository(world, installation, repositoryNamed(world.store, repo)),
  suspend: () => suspend(world, installation, true),
  unsuspend: () => suspend(world, installation, false),
  uninstall: () => uninstall(world, installation),
  setPermissions: (permissions) => setPermissions(world, installation, permissions),
})

import { accountBody } from '#emulator/bodies/account.ts'
import { git } from '#emulator/git/run-git.ts'
import type { Account, Repository } from '#emulator/records.ts'
import { accountOf, findRepository, fullName } from '#emulator/store.ts'
import { emitFrom } from '#emulator/webhooks/events.ts'
import type { World } from '#emulator/world.ts'

const tell = (world: World, repository: Repository, payload: Record<string, unknown>, sender: Account): void =>
  emitFrom(world, 'repository', payload, { repository, sender })

const move = (world: World, repository: Repository, owner: Account, name: string): void => {
  const taken = findRepository(world.store, owner.login, name)
  if (taken && taken !== repository) throw new Error(`there is a repository ${owner.login}/${name} already`)
  repository.formerNames.add(fullName(repository).toLowerCase())
  Object.assign(repository, { owner, name })
}

/** REST redirects from the old name until another repository takes it. */
export const renameRepository = (world: World, repository: Repository, name: string): void => {
  const from = repository.name
  move(world, repository, repository.owner, name)
  tell(world, repository, { action: 'renamed', changes: { repository: { name: { from } } } }, repository.owner)
}

/** Gives it to another account. Only the new owner's installation is notified, if there is one. */
export const transferRepository = (world: World, repository: Repository, login: string): void => {
  const { owner: old } = repository
  const kind = old.type === 'Organization' ? 'organization' : 'user'
  move(world, repository, accountOf(world.store, login, 'Organization', world.clock()), repository.name)
  const changes = { owner: { from: { [kind]: accountBody(world, old) } } }
  tell(world, repository, { action: 'transferred', changes }, old)
}

/** Makes another branch the default one; the branch must exist. */
export const setDefaultBranch = async (world: World, repository: Repository, branch: string): Promise<void> => {
  await git(repository.gitDir, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`])
  await git(repository.gitDir, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`])
  const from = repository.defaultBranch
  repository.defaultBranch = branch
  tell(world, repository, { action: 'edited', changes: { default_branch: { from } } }, repository.owner)
}

export const setArchived = (world: World, repository: Repository, archived: boolean): void => {
  repository.archived = archived
  tell(world, repository, { action: archived ? 'archived' : 'unarchived' }, repository.owner)
}

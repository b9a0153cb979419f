import { join } from 'node:path'
import { setRef } from '#emulator/git/commits.ts'
import { git } from '#emulator/git/run-git.ts'
import type { PullRequest, Repository } from '#emulator/records.ts'
import { accountOf, findRepository } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'

/** A person's fork of a repository, created at the first mention, with the default branch as it is then. */
export const forkOf = async (world: World, parent: Repository, login: string): Promise<Repository> => {
  const { store } = world
  const known = findRepository(store, login, parent.name)
  if (known && known.parent !== parent) throw new Error(`${login}/${parent.name} is no fork of ${parent.owner.login}'s`)
  const fork = known ?? (await makeFork(world, parent, login))
  const branch = `refs/heads/${parent.defaultBranch}`
  await git(fork.gitDir, ['fetch', '--quiet', parent.gitDir, `+${branch}:${branch}`])
  return fork
}

const makeFork = async (world: World, parent: Repository, login: string): Promise<Repository> => {
  const { store } = world
  const now = world.clock()
  const id = store.newId()
  const gitDir = join(world.dataDir, `${id}.git`)
  await git('.', ['clone', '--quiet', '--bare', parent.gitDir, gitDir])
  const fork: Repository = {
    ...parent,
    id,
    owner: accountOf(store, login, 'User', now),
    gitDir,
    vars: {},
    secrets: {},
    createdAt: now,
    pushedAt: now,
    lastNumber: 0,
    collaborators: new Map(),
    environments: new Map(),
    protections: new Map(),
    parent,
    formerNames: new Set(),
    releases: [],
  }
  store.repositories.set(id, fork)
  return fork
}

/** Puts the head of a pull request at refs/pull/N/head; a head in a fork is fetched first. */
export const bringHead = async ({
  repository,
  headRepository,
  headRef,
  headSha,
  number,
}: PullRequest): Promise<void> => {
  if (headRepository && headRepository !== repository) {
    await git(repository.gitDir, ['fetch', '--quiet', headRepository.gitDir, `refs/heads/${headRef}`])
  }
  await setRef(repository.gitDir, `refs/pull/${number}/head`, headSha)
}

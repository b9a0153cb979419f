import { join } from 'node:path'
import { type Changes, initRepository } from '#emulator/git/commits.ts'
import type { Repository } from '#emulator/records.ts'
import { accountOf, findRepository, installationOn } from '#emulator/store.ts'
import { emitInstallationRepositories } from '#emulator/webhooks/events.ts'
import type { World } from '#emulator/world.ts'
import { announcePush, commitOn } from './push.ts'

export type RepositoryOptions = {
  owner: string
  name: string
  /** By default `main`. */
  defaultBranch?: string
  /** The files of the first commit; by default one README. */
  files?: Record<string, string>
  private?: boolean
  /** Actions variables and secrets. */
  vars?: Record<string, string>
  secrets?: Record<string, string>
}

/** Makes a repository with its first commit. An unknown owner becomes an organisation. */
export const createRepository = async (world: World, options: RepositoryOptions): Promise<Repository> => {
  const { store } = world
  if (findRepository(store, options.owner, options.name)) {
    throw new Error(`there is a repository ${options.owner}/${options.name} already`)
  }
  const now = world.clock()
  const owner = accountOf(store, options.owner, 'Organization', now)
  const id = store.newId()
  const gitDir = join(world.dataDir, `${id}.git`)
  const defaultBranch = options.defaultBranch ?? 'main'
  await initRepository(gitDir, defaultBranch)
  const repository: Repository = {
    id,
    owner,
    name: options.name,
    defaultBranch,
    private: options.private ?? true,
    archived: false,
    hasIssues: true,
    gitDir,
    vars: options.vars ?? {},
    secrets: options.secrets ?? {},
    createdAt: now,
    pushedAt: now,
    lastNumber: 0,
    collaborators: new Map(),
    environments: new Map(),
    protections: new Map(),
    parent: undefined,
    formerNames: new Set(),
    releases: [],
    pushes: [],
  }
  const changes: Changes = options.files ?? { 'README.md': `# ${options.name}\n` }
  const wanted = { repository, branch: defaultBranch, message: 'Initial commit', author: owner, changes }
  const { after } = await commitOn(world, wanted)
  store.repositories.set(id, repository)
  const installation = installationOn(store, repository)
  if (installation) emitInstallationRepositories(world, installation, 'added', [repository])
  await announcePush(world, { repository, branch: defaultBranch, sender: owner, before: undefined, after })
  return repository
}

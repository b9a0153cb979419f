import type { RepoRef } from '#codehost/port.ts'
import type { Repository } from '#db/repositories.ts'

/** How the code host must be asked for a repository. */
export const repoRefOf = (repository: Pick<Repository, 'installationId' | 'owner' | 'name'>): RepoRef => ({
  installationId: repository.installationId,
  owner: repository.owner,
  name: repository.name,
})

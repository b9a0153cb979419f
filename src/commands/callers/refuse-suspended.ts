import type { Repository } from '#db/repositories/repositories.ts'
import { Problem } from '#errors.ts'

/** Throws 403 where the installation is suspended: nothing can be begun there, since no workflow could be started. */
export const refuseSuspended = (repository: Repository): void => {
  refusePaused(repository)
  const { suspended, owner } = repository
  if (suspended)
    throw new Problem('forbidden', `the installation of the app on ${owner} is suspended: unsuspend it first`)
}

/** Throws 403 where the installation is moved to another service: what is done here would be lost. */
export const refusePaused = ({ paused, owner }: Repository): void => {
  if (paused)
    throw new Problem('forbidden', `the installation of the app on ${owner} is paused: it is moved to another service`)
}

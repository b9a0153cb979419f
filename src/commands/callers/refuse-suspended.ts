import type { Repository } from '#db/repositories/repositories.ts'
import { Problem } from '#errors.ts'

/** Throws 403 where the installation is suspended: nothing can be begun there, since no workflow could be started. */
export const refuseSuspended = ({ suspended, owner }: Repository): void => {
  if (suspended)
    throw new Problem('forbidden', `the installation of the app on ${owner} is suspended: unsuspend it first`)
}

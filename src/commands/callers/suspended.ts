import type { Repository } from '#db/repositories/repositories.ts'
import { Problem } from '#errors.ts'

/** Why nothing can be begun in a repository whose installation is suspended: no workflow could be started there. */
export const suspendedProblem = ({ suspended, owner }: Repository): Problem | undefined =>
  suspended
    ? new Problem('forbidden', `the installation of the app on ${owner} is suspended: unsuspend it first`)
    : undefined

import type { LinkOptions } from '@tanstack/react-router'
import { ownerAndRepo } from '../parts/owner-and-repo.ts'

/** Where a stack is shown, by the repository's `owner/name` and the stack's key. */
export const stackLink = (repository: string, key: string): LinkOptions => ({
  to: '/repos/$owner/$repo',
  params: ownerAndRepo(repository),
  search: { q: key },
})

import type { LinkOptions } from '@tanstack/react-router'

/** Where a stack is shown, by the repository's `owner/name` and the stack's key. */
export const stackLink = (repository: string, key: string): LinkOptions => {
  const [owner = '', repo = ''] = repository.split('/')
  return { to: '/repos/$owner/$repo', params: { owner, repo }, search: { q: key } }
}

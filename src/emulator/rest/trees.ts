import { listTree, resolveTree } from '#emulator/git/tree.ts'
import { fullName } from '#emulator/store.ts'
import type { RepositoryCall } from './serving/call.ts'
import { notFound } from './serving/errors.ts'
import { repositoryRoute } from './serving/route.ts'

/** GitHub cuts a tree off beyond so many entries, and says so. */
const mostEntries = 100_000

/** A commit, branch or tag means its tree; `recursive` with any value, `0` too, asks for the contents of its folders. */
const getTree = async ({ world, repository, params, query }: RepositoryCall) => {
  const tree = await resolveTree(repository.gitDir, params.tree_sha ?? '')
  if (tree === undefined) throw notFound()
  const entries = await listTree(repository.gitDir, tree, query.recursive !== undefined)
  const api = `${world.urls.api}/repos/${fullName(repository)}/git`
  return {
    body: {
      sha: tree,
      url: `${api}/trees/${tree}`,
      tree: entries.slice(0, mostEntries).map(({ path, mode, type, sha, size }) => ({
        path,
        mode,
        type,
        sha,
        ...(type === 'blob' ? { size } : {}),
        // A submodule's commit is in another repository.
        ...(type === 'commit' ? {} : { url: `${api}/${type}s/${sha}` }),
      })),
      truncated: entries.length > mostEntries,
    },
  }
}

/** GitHub Docs, 'REST API endpoints for Git trees'. */
export const treeRoutes = [repositoryRoute('GET', '/git/trees/{tree_sha}', ['contents', 'read'], getTree)]

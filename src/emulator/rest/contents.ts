import { contentItemBody } from '#emulator/bodies/content.ts'
import { resolveCommit } from '#emulator/git/commits.ts'
import { readBlob, readPath, type TreeEntry } from '#emulator/git/tree.ts'
import type { Answer, RepositoryCall } from './serving/call.ts'
import { GitHubError, notFound, validationFailed } from './serving/errors.ts'
import { repositoryRoute } from './serving/route.ts'

const megabyte = 1 << 20

const isRaw = (accept: unknown): boolean => /application\/vnd\.github\.(?:v3\.)?raw(?:\+json)?\b/.test(String(accept))

/** Up to 1 MB in any form, up to 100 MB raw, nothing above. */
const refuseLarge = (size: number, raw: boolean): void => {
  if (size <= (raw ? 100 : 1) * megabyte) return
  const refusal = validationFailed({ resource: 'Blob', field: 'data', code: 'too_large' })
  throw new GitHubError(403, 'This API returns blobs up to 1 MB in size.', refusal.errors)
}

const fileAnswer = async (call: RepositoryCall, entry: TreeEntry, ref: string): Promise<Answer> => {
  const { world, repository } = call
  const raw = isRaw(call.headers.accept)
  refuseLarge(entry.size, raw)
  const bytes = await readBlob(repository.gitDir, entry.blob)
  if (raw) return { body: bytes, headers: { 'content-type': 'application/vnd.github.raw+json; charset=utf-8' } }
  const item = contentItemBody(world, repository, entry, ref)
  if (entry.kind === 'symlink') return { body: { ...item, target: bytes.toString() } }
  // Lines of sixty characters, each with a line end, as GitHub encodes.
  const content = bytes.toString('base64').replace(/.{1,60}/g, '$&\n')
  return { body: { ...item, encoding: 'base64', content } }
}

/** GitHub Docs, 'REST API endpoints for repository contents'. */
export const contentRoutes = [
  repositoryRoute('GET', '/contents/{path}', ['contents', 'read'], async (call) => {
    const { world, repository, params, query } = call
    const ref = query.ref ?? repository.defaultBranch
    const sha = await resolveCommit(repository.gitDir, ref)
    if (sha === undefined) throw new GitHubError(404, `No commit found for the ref ${ref}`)
    const path = (params.path ?? '').replace(/^\/+|\/+$/g, '')
    const found = await readPath(repository.gitDir, sha, path)
    if (found === undefined) throw notFound()
    if (!Array.isArray(found)) return fileAnswer(call, found, ref)
    // A listing stops at a thousand entries, as on GitHub.
    return { body: found.slice(0, 1000).map((entry) => contentItemBody(world, repository, entry, ref)) }
  }),
]

import type { TreeEntry } from '#emulator/git/tree.ts'
import type { Repository } from '#emulator/records.ts'
import { fullName } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'

/** The fields that a file, a folder and a link share in GitHub's contents. */
export const contentItemBody = (world: World, repository: Repository, entry: TreeEntry, ref: string) => {
  const api = `${world.urls.api}/repos/${fullName(repository)}`
  const path = entry.path.split('/').map(encodeURIComponent).join('/')
  const self = `${api}/contents/${path}?ref=${encodeURIComponent(ref)}`
  const git = `${api}/git/${entry.kind === 'dir' ? 'trees' : 'blobs'}/${entry.blob}`
  const html = `${world.urls.web}/${fullName(repository)}/${entry.kind === 'dir' ? 'tree' : 'blob'}/${ref}/${path}`
  return {
    type: entry.kind,
    size: entry.size,
    name: entry.path.split('/').at(-1) ?? '',
    path: entry.path,
    sha: entry.blob,
    url: self,
    git_url: git,
    html_url: html,
    download_url: entry.kind === 'dir' ? null : `${world.urls.web}/raw/${fullName(repository)}/${ref}/${path}`,
    _links: { self, git, html },
  }
}

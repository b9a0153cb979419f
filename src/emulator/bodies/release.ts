import type { Release, Repository } from '#emulator/records.ts'
import { fullName } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { accountBody } from './account.ts'
import { nodeId, stamp } from './node-id.ts'

/** GitHub's release, without assets. */
export const releaseBody = (world: World, repository: Repository, release: Release) => {
  const api = `${world.urls.api}/repos/${fullName(repository)}`
  const web = `${world.urls.web}/${fullName(repository)}/releases`
  return {
    url: `${api}/releases/${release.id}`,
    assets_url: `${api}/releases/${release.id}/assets`,
    upload_url: `${api}/releases/${release.id}/assets{?name,label}`,
    html_url: `${web}/tag/${release.tag}`,
    id: release.id,
    author: accountBody(world, release.author),
    node_id: nodeId('RE', release.id),
    tag_name: release.tag,
    target_commitish: repository.defaultBranch,
    name: release.tag,
    draft: false,
    prerelease: release.prerelease,
    created_at: stamp(release.publishedAt),
    published_at: stamp(release.publishedAt),
    assets: [],
    tarball_url: `${api}/tarball/${release.tag}`,
    zipball_url: `${api}/zipball/${release.tag}`,
    body: '',
  }
}

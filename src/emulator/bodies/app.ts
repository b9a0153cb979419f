import type { CheckApp, Installation, Repository } from '#emulator/records.ts'
import { repositoriesOf } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { accountBody } from './account.ts'
import { nodeId, stamp } from './node-id.ts'

/** GitHub's own app that owns the check runs of Actions jobs; the id is that of github.com. */
const actionsApp = { id: 15_368, slug: 'github-actions', name: 'GitHub Actions' }

/** The id of the app that made a check. */
export const appIdOf = (world: World, which: CheckApp): number => (which === 'app' ? world.app.id : actionsApp.id)

/** GitHub's integration: the emulated app, or Actions. */
export const appBody = (world: World, which: CheckApp = 'app') => {
  const { app } = world
  const named = which === 'app' ? { id: app.id, slug: app.slug, name: app.slug } : actionsApp
  return {
    ...named,
    node_id: nodeId('A', named.id),
    owner: accountBody(world, app.owner),
    description: '',
    external_url: world.urls.web,
    html_url: `${world.urls.web}/apps/${named.slug}`,
    created_at: stamp(app.createdAt),
    updated_at: stamp(app.createdAt),
    permissions: app.permissions,
    events: app.events,
  }
}

export const installationBody = (world: World, installation: Installation) => {
  const url = `${world.urls.api}/app/installations/${installation.id}`
  return {
    id: installation.id,
    account: accountBody(world, installation.account),
    repository_selection: installation.repositoryIds === undefined ? ('all' as const) : ('selected' as const),
    access_tokens_url: `${url}/access_tokens`,
    repositories_url: `${world.urls.api}/installation/repositories`,
    html_url: `${world.urls.web}/settings/installations/${installation.id}`,
    app_id: world.app.id,
    app_slug: world.app.slug,
    target_id: installation.account.id,
    target_type: installation.account.type,
    permissions: installation.permissions,
    events: installation.events,
    created_at: stamp(installation.createdAt),
    updated_at: stamp(installation.updatedAt),
    single_file_name: null,
    suspended_by: installation.suspendedAt ? accountBody(world, installation.account) : null,
    suspended_at: installation.suspendedAt ? stamp(installation.suspendedAt) : null,
  }
}

/** A repository in the webhooks of installations: without a default branch. */
export const installedRepositoryBody = (repository: Repository) => ({
  id: repository.id,
  node_id: nodeId('R', repository.id),
  name: repository.name,
  full_name: `${repository.owner.login}/${repository.name}`,
  private: repository.private,
})

export const installedRepositories = (world: World, installation: Installation) =>
  repositoriesOf(world.store, installation).map(installedRepositoryBody)

import { z } from 'zod'
import { appBody, installationBody } from '#emulator/bodies/app.ts'
import { stamp } from '#emulator/bodies/node-id.ts'
import { repositoryBody } from '#emulator/bodies/repository.ts'
import type { Installation, Repository } from '#emulator/records.ts'
import { findRepository, installationOn, repositoriesOf } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import type { Call } from './serving/call.ts'
import { issueToken } from './serving/credentials.ts'
import { GitHubError, notFound } from './serving/errors.ts'
import { paginate } from './serving/pagination.ts'
import { appRoute, installationRoute } from './serving/route.ts'
import { parseBody } from './serving/validation.ts'

const scopeSchema = z.object({
  repository_ids: z.array(z.int()).max(500).optional(),
  repositories: z.array(z.string()).max(500).optional(),
  permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
})

const installationOf = ({ world, params }: Call): Installation => {
  const installation = world.store.installations.get(Number(params.installation_id))
  if (!installation) throw notFound()
  return installation
}

/** The repositories a token is narrowed to; undefined: all of the installation. */
const narrowed = (world: World, installation: Installation, scope: z.infer<typeof scopeSchema>) => {
  if (!scope.repository_ids && !scope.repositories) return undefined
  const wanted = repositoriesOf(world.store, installation).filter(
    (repository) => scope.repository_ids?.includes(repository.id) || scope.repositories?.includes(repository.name),
  )
  if (wanted.length < (scope.repository_ids?.length ?? 0) + (scope.repositories?.length ?? 0)) {
    throw new GitHubError(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    )
  }
  return new Set(wanted.map((repository) => repository.id))
}

const permissionsOf = (installation: Installation, scope: z.infer<typeof scopeSchema>) => {
  const asked = scope.permissions ?? installation.permissions
  for (const [name, level] of Object.entries(asked)) {
    const granted = installation.permissions[name]
    if (granted === undefined || (level === 'write' && granted === 'read')) {
      throw new GitHubError(422, 'The permissions requested are not granted to this installation.')
    }
  }
  return asked
}

const createToken = (call: Call) => {
  const { world } = call
  const installation = installationOf(call)
  if (installation.suspendedAt) throw new GitHubError(403, 'This installation has been suspended')
  const scope = parseBody('InstallationToken', scopeSchema, call.body)
  const repositoryIds = narrowed(world, installation, scope)
  const { value, token } = issueToken(world, installation, {
    permissions: permissionsOf(installation, scope),
    repositoryIds,
  })
  const selection = repositoryIds ?? installation.repositoryIds
  return {
    status: 201,
    body: {
      token: value,
      expires_at: stamp(token.expiresAt),
      permissions: token.permissions,
      repository_selection: selection === undefined ? 'all' : 'selected',
      ...(repositoryIds ? { repositories: bodies(world, [...repositoryIds]) } : {}),
    },
  }
}

const bodies = (world: World, ids: number[]) =>
  ids
    .map((id) => world.store.repositories.get(id))
    .filter((repository): repository is Repository => repository !== undefined)
    .map((repository) => repositoryBody(world, repository))

/** GitHub Docs, 'REST API endpoints for GitHub Apps' and '… for GitHub App installations'. */
export const appRoutes = [
  appRoute('GET', '/app', ({ world }) => ({
    body: { ...appBody(world), client_id: world.app.clientId, installations_count: world.store.installations.size },
  })),

  appRoute('GET', '/app/installations', (call) =>
    paginate(call, [...call.world.store.installations.values()], (page) =>
      page.map((installation) => installationBody(call.world, installation)),
    ),
  ),

  appRoute('GET', '/app/installations/{installation_id}', (call) => ({
    body: installationBody(call.world, installationOf(call)),
  })),

  appRoute('POST', '/app/installations/{installation_id}/access_tokens', createToken),

  appRoute('GET', '/repos/{owner}/{repo}/installation', ({ world, params }) => {
    const repository = findRepository(world.store, params.owner ?? '', params.repo ?? '')
    const installation = repository && installationOn(world.store, repository)
    if (!installation) throw notFound()
    return { body: installationBody(world, installation) }
  }),

  installationRoute('GET', '/installation/repositories', (call) => {
    const seen = repositoriesOf(call.world.store, call.installation).filter(
      (repository) => call.token.repositoryIds?.has(repository.id) ?? true,
    )
    return paginate(call, seen, (page, total) => ({
      total_count: total,
      repository_selection: call.installation.repositoryIds === undefined ? 'all' : 'selected',
      repositories: page.map((repository) => repositoryBody(call.world, repository)),
    }))
  }),
]

import type { z } from 'zod'
import type { Fact, InstallationFact, PullRequestFact, RepositoryFact, RepositoryName } from '../fact.ts'
import type { Installation } from '../port.ts'
import {
  InstallationPayload,
  InstallationRepositoriesPayload,
  PingPayload,
  PullRequestPayload,
  PushPayload,
  RepositoryPayload,
} from './payloads.ts'

/** What a delivery (X-GitHub-Event and its JSON) says. Never throws: what cannot be read is ignored, with the reason. */
export const readDelivery = (event: string, payload: unknown): Fact => {
  const reader = readers.get(event)
  return reader === undefined ? { kind: 'ignored', reason: `nothing follows from ${event}` } : reader(event, payload)
}

type Reader = (event: string, payload: unknown) => Fact

const reading =
  <T>(schema: z.ZodType<T>, toFact: (payload: T) => Fact): Reader =>
  (event, payload) => {
    const { success, data, error } = schema.safeParse(payload)
    if (success) return toFact(data)
    const issue = error.issues[0]
    const field = issue?.path.join('.') || 'the payload'
    const action = (payload as { action?: unknown } | null)?.action
    const known = field !== 'action' || typeof action !== 'string'
    return {
      kind: 'ignored',
      reason: known ? `${event}: ${field}: ${issue?.message}` : `nothing follows from ${event} ${action}`,
    }
  }

const from = (installation: { id: number } | undefined) =>
  installation === undefined ? {} : { installationId: installation.id }

const toPullRequest = (payload: z.infer<typeof PullRequestPayload>): PullRequestFact => {
  const { action, number, pull_request: pull } = payload
  return {
    kind: 'pull_request',
    action,
    ...from(payload.installation),
    repoId: payload.repository.id,
    number,
    state: pull.state,
    headSha: pull.head.sha,
    headRef: pull.head.ref,
    headRepoId: pull.head.repo?.id ?? null,
    baseSha: pull.base.sha,
    baseRef: pull.base.ref,
    baseChanged: payload.changes?.base !== undefined,
    author: pull.user?.login ?? 'ghost',
    draft: pull.draft,
    merged: pull.merged ?? false,
    mergeCommitSha: pull.merge_commit_sha ?? null,
  }
}

const toInstallation = (given: z.infer<typeof InstallationPayload>['installation']): Installation => ({
  id: given.id,
  accountId: given.account.id,
  accountLogin: given.account.login,
  accountType: given.account.type,
  suspendedAt: given.suspended_at ?? null,
})

const toNames = (entries: readonly { id: number; full_name: string }[]): RepositoryName[] =>
  entries.map(({ id, full_name }) => {
    const [owner = '', name = ''] = full_name.split('/')
    return { id, owner, name }
  })

const toInstallationFact = (payload: z.infer<typeof InstallationPayload>): InstallationFact => ({
  kind: 'installation',
  action: payload.action,
  installation: toInstallation(payload.installation),
  repositories: toNames(payload.repositories),
})

const toRepository = (payload: z.infer<typeof RepositoryPayload>): RepositoryFact => {
  const { id, name, owner, default_branch, archived } = payload.repository
  const { repository, owner: formerOwner, default_branch: formerBranch } = payload.changes
  const login = (formerOwner?.from.user ?? formerOwner?.from.organization)?.login
  return {
    kind: 'repository',
    action: payload.action,
    ...from(payload.installation),
    repository: { id, owner: owner.login, name, defaultBranch: default_branch, archived },
    former: {
      ...(repository === undefined ? {} : { name: repository.name.from }),
      ...(login === undefined ? {} : { owner: login }),
      ...(formerBranch === undefined ? {} : { defaultBranch: formerBranch.from }),
    },
  }
}

const readers: ReadonlyMap<string, Reader> = new Map([
  ['pull_request', reading(PullRequestPayload, toPullRequest)],
  ['installation', reading(InstallationPayload, toInstallationFact)],
  [
    'installation_repositories',
    reading(InstallationRepositoriesPayload, (payload) => ({
      kind: 'installation_repositories',
      action: payload.action,
      installation: toInstallation(payload.installation),
      added: toNames(payload.repositories_added),
      removed: toNames(payload.repositories_removed),
    })),
  ],
  ['repository', reading(RepositoryPayload, toRepository)],
  [
    'push',
    reading(PushPayload, ({ installation, repository, ...rest }) => ({
      kind: 'push',
      ...from(installation),
      repoId: repository.id,
      defaultBranch: repository.default_branch,
      ...rest,
    })),
  ],
  ['ping', reading(PingPayload, (payload) => ({ kind: 'ping', hookId: payload.hook_id }))],
])

import { z } from 'zod'
import type { HostedRepository, Installation } from '../port.ts'
import type { Calls } from './client/calls.ts'

// https://docs.github.com/rest/apps/apps and /rest/apps/installations
const Account = z.object({ id: z.number(), login: z.string(), type: z.enum(['User', 'Organization']) })

const InstallationsAnswer = z.array(
  z.object({ id: z.number(), account: z.unknown(), suspended_at: z.string().nullish() }),
)

const RepositoriesAnswer = z.object({
  repositories: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      owner: z.object({ login: z.string() }),
      default_branch: z.string(),
      archived: z.boolean().default(false),
    }),
  ),
})

/** Installations on users and organisations; one on an enterprise holds no repositories and is left out. */
export const listInstallations = async (calls: Calls): Promise<Installation[]> => {
  const found: Installation[] = []
  const call = { act: 'listing installations', route: 'GET /app/installations', from: 'app' } as const
  for await (const page of calls.pages(call, InstallationsAnswer)) {
    for (const one of page) {
      const account = Account.safeParse(one.account).data
      if (account === undefined) continue
      const { id: accountId, login: accountLogin, type: accountType } = account
      found.push({ id: one.id, accountId, accountLogin, accountType, suspendedAt: one.suspended_at ?? null })
    }
  }
  return found
}

export const listRepositories = async (calls: Calls, installationId: number): Promise<HostedRepository[]> => {
  const found: HostedRepository[] = []
  const pages = calls.pages(
    {
      act: `listing repositories of installation ${installationId}`,
      route: 'GET /installation/repositories',
      from: installationId,
    },
    RepositoriesAnswer,
  )
  for await (const page of pages) {
    for (const { id, name, owner, default_branch, archived } of page.repositories) {
      found.push({ id, owner: owner.login, name, defaultBranch: default_branch, archived })
    }
  }
  return found
}

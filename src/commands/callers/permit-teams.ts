import { readRepoConfig } from '#commands/policy/read-repo-config.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import type { Membership } from '#domain/gate/facts.ts'
import { type Kept, teamsThatMay, whyNotIn, whyNotKnown } from '#domain/gate/who-may.ts'
import { Problem } from '#errors.ts'
import type { Deps } from '../deps.ts'
import type { Person } from './person.ts'

type TeamDeps = Pick<Deps, 'codehost' | 'pool' | 'clock'>

/**
 * Why a person with push permission may not do what the default branch's svc.yml keeps for members of teams (`plan.teams`,
 * `unlock.teams`, `rerun.teams`); undefined if they may. A file that cannot be read shuts nobody out for good: who administers the
 * repository may change the file, and so may do it meanwhile.
 */
export const whyNot = async (
  deps: TeamDeps,
  kept: Kept,
  { login, account }: { login: string; account: number | undefined },
  repository: Repository,
): Promise<string | undefined> => {
  const policy = await readRepoConfig(deps, repository)
  if (!policy.ok) {
    const permission = await deps.codehost.permissionOf(repository, login, account)
    return permission === 'admin' ? undefined : whyNotKnown(kept, policy)
  }
  const teams = teamsThatMay(kept, policy.config, repository.owner)
  const memberships = await Promise.all(
    teams.map(async (team): Promise<Membership> => {
      const [org = '', slug = ''] = team.split('/')
      const member = await deps.codehost.isTeamMember(repository.installation_id, { org, slug }, login)
      return { team, login, member: member ?? null }
    }),
  )
  return whyNotIn(kept, login, teams, memberships)
}

/** The same for a request: 403. An API key counts as an administrator, and is asked for no team. */
export const permitTeams = async (
  deps: TeamDeps,
  kept: Kept,
  caller: Person | { kind: 'key' },
  repository: Repository,
): Promise<void> => {
  if (caller.kind === 'key') return
  const why = await whyNot(deps, kept, { login: caller.login, account: caller.id }, repository)
  if (why !== undefined) throw new Problem('forbidden', why)
}

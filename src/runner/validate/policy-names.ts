import type { RepoConfig } from '#domain/config/config-file.ts'
import type { Finding } from './finding.ts'

type Named = { path: (string | number)[]; teams: readonly string[] | undefined }

const teamsOf = ({ apply, plan, unlock, rerun, checks }: RepoConfig): Named[] => [
  ...Object.entries({ apply, plan, unlock, rerun }).map(([section, { teams }]) => ({
    path: [section, 'teams'],
    teams,
  })),
  ...apply.rules.flatMap((rule, i) =>
    (['teams', 'approve_teams'] as const).map((key) => ({ path: ['apply', 'rules', i, key], teams: rule[key] })),
  ),
  ...apply.windows.map(({ except_teams: teams }, i) => ({ path: ['apply', 'windows', i, 'except_teams'], teams })),
  ...checks.map(({ override }, i) => ({ path: ['checks', i, 'override', 'teams'], teams: override?.teams })),
]

/**
 * Teams that cannot count: an installation of the app sees the teams of its own organisation only. Whether there is a team of a name,
 * only the code host knows. `owner` is undefined where nothing says whose the repository is.
 */
export const foreignTeams = (config: RepoConfig, owner: string | undefined): Finding[] =>
  teamsOf(config).flatMap(({ path, teams = [] }) =>
    teams.flatMap((team, i): Finding[] => {
      const [organisation, slug] = team.split('/')
      if (owner === undefined || slug === undefined || organisation?.toLowerCase() === owner.toLowerCase()) return []
      const message = `'${team}' is a team of another organisation, whose members the service cannot see: expected '${slug}' or '${owner}/${slug}'`
      return [{ path: [...path, i], message }]
    }),
  )

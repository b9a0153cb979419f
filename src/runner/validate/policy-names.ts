import type { RepoConfig } from '#domain/config/config-file.ts'
import type { Finding } from './finding.ts'

/**
 * Teams that cannot count: an installation of the app sees the teams of its own organisation only. Whether there is a team of a name,
 * only the code host knows. `owner` is undefined where nothing says whose the repository is.
 */
export const foreignTeams = ({ apply, plan, unlock, rerun }: RepoConfig, owner: string | undefined): Finding[] =>
  Object.entries({ apply, plan, unlock, rerun }).flatMap(([section, { teams }]) =>
    teams.flatMap((team, i): Finding[] => {
      const [organisation, slug] = team.split('/')
      if (owner === undefined || slug === undefined || organisation?.toLowerCase() === owner.toLowerCase()) return []
      const message = `'${team}' is a team of another organisation, whose members the service cannot see: expected '${slug}' or '${owner}/${slug}'`
      return [{ path: [section, 'teams', i], message }]
    }),
  )

/** Teams of an apply for which nobody asks: where a merge applies, the code host lets people merge. */
export const unaskedTeams = ({ apply: { mode, teams } }: RepoConfig): Finding[] =>
  mode !== 'on_merge' || teams.length === 0
    ? []
    : [
        {
          path: ['apply', 'teams'],
          message: 'nobody asks for an apply under mode: on_merge, and so no team counts: whoever may merge applies',
        },
      ]

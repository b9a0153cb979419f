import { configFileName, type ParsedConfig, type RepoConfig } from '#domain/config/config-file.ts'
import type { Membership } from './facts.ts'
import { listed } from './listed.ts'
import { isMember, teamOf } from './people.ts'

/** What svc.yml may keep for members of teams, by the section that names them; an apply has its gate. */
export type Kept = 'plan' | 'unlock' | 'rerun'

const acts: Record<Kept, string> = {
  plan: 'plan by a comment',
  unlock: 'release locks',
  rerun: 'run a plan again',
}

/** The teams whose members alone may do it, each as `organisation/slug`; everybody who may push if there are none. */
export const teamsThatMay = (kept: Kept, config: RepoConfig, owner: string): string[] => [
  ...new Set(config[kept].teams.map((slug) => teamOf(owner, slug))),
]

/**
 * Why a person who may push may not do it, as a sentence without its full stop; undefined if they may. What cannot be known
 * refuses, as at the gate.
 */
export const whyNotIn = (
  kept: Kept,
  login: string,
  teams: readonly string[],
  memberships: readonly Membership[],
): string | undefined => {
  const answers = teams.map((team) => isMember(memberships, team, login))
  if (teams.length === 0 || answers.includes(true)) return undefined
  const open = teams.filter((_, at) => answers[at] === null)
  if (open.length > 0)
    return `the code host does not say whether ${login} is in ${listed(open)}, whose members may ${acts[kept]} (${kept}.teams): the team does not exist, or the app may not read the organisation's members`
  const one = teams.length === 1 ? 'the team' : 'any of the teams'
  return `${login} is not in ${one} that may ${acts[kept]}: ${listed(teams)} (${kept}.teams)`
}

/** The same where the default branch's file cannot be read: nobody is known to be in a team that it may name, but who administers the repository may. */
export const whyNotKnown = (kept: Kept, { problems }: Extract<ParsedConfig, { ok: false }>): string => {
  const [first] = problems
  const place = first?.line === undefined ? '' : ` in line ${first.line}`
  const what = first === undefined ? '' : `: ${first.key === '' ? '' : `${first.key} `}${first.message}`
  return `${configFileName} of the default branch is invalid${place}${what}, so who may ${acts[kept]} is not known: an administrator of the repository may, or correct the file`
}

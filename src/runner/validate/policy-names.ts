import type { RepoConfig } from '#domain/config/config-file.ts'
import { nearest } from '#domain/edit-distance.ts'
import type { Tree } from '../scan/tree/tree.ts'
import { type Finding, meant } from './finding.ts'

type WorkflowTree = Pick<Tree, 'paths' | 'text'>

/** Words of the lines with `svc check` in the workflows, which report checks that svc.yml does not have. */
const reportedByWorkflows = (tree: WorkflowTree): Set<string> => {
  const words = new Set<string>()
  for (const path of tree.paths()) {
    if (!/^\.github\/workflows\/[^/]+\.ya?ml$/.test(path)) continue
    for (const line of (tree.text(path) ?? '').split('\n'))
      if (line.includes('svc check')) for (const word of line.split(/[^A-Za-z0-9._-]+/)) words.add(word)
  }
  return words
}

/** Names in `apply.checks` that no check has, of svc.yml or of a workflow: they refuse every apply. */
export const unknownChecks = ({ apply, checks }: RepoConfig, tree: WorkflowTree | undefined): Finding[] => {
  const names = checks.map(({ name }) => name)
  const known = new Set(names)
  const missing = [...apply.checks.entries()].filter(([, name]) => !known.has(name))
  if (missing.length === 0) return []
  const reported = tree === undefined ? new Set<string>() : reportedByWorkflows(tree)
  return missing
    .filter(([, name]) => !reported.has(name))
    .map(([i, name]) => ({
      path: ['apply', 'checks', i],
      message: `no check has the name '${name}', and every apply is refused without its verdict${meant(nearest(name, names.slice(0, 1000)))}`,
    }))
}

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

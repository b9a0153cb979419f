import type { RepoConfig } from '#domain/config/config-file.ts'
import type { Environment } from '../environment.ts'
import { unknownDependencies } from './dependencies.ts'
import { missingPaths } from './file-globs.ts'
import type { Finding } from './finding.ts'
import { foreignTeams } from './policy-names.ts'
import { stacksWithoutRequired, unmetChecks } from './required-checks.ts'
import { unaskedTeams, unmatchedRules } from './rules.ts'
import type { Looked } from './see-tree.ts'
import { seenBy } from './seen.ts'
import { uselessSettings } from './settings.ts'
import { unmadeInstances, unmatchedChecks, unmatchedStacks } from './stack-globs.ts'
import { shutWindows } from './windows.ts'

/** Whose the repository is, if the job or the remote says it: a directory's own name says nothing. */
const ownerOf = (repo: string | undefined, { github }: Environment): string | undefined => {
  const owner = (repo ?? github.repository)?.split('/', 1)[0]
  return owner === 'local' ? undefined : owner
}

/** Everything in a valid svc.yml that names nothing or can never be met, and what could not be looked for. */
export const lookForNames = (
  config: RepoConfig,
  { seen: found, isWhole, findings, notes }: Looked,
  environment: Environment,
  now: Date,
): { findings: Finding[]; notes: string[] } => {
  const ofPolicy = [
    ...unmetChecks(config, found?.tree),
    ...foreignTeams(config, ownerOf(found?.repo, environment)),
    ...unaskedTeams(config),
    ...shutWindows(config, now),
  ]
  if (found === undefined) return { findings: [...findings, ...ofPolicy], notes }
  const seen = seenBy(config, found)
  const ofStacks = isWhole
    ? [
        ...unmatchedStacks(seen),
        ...unmadeInstances(seen),
        ...unknownDependencies(seen),
        ...unmatchedChecks(seen),
        ...stacksWithoutRequired(seen),
        ...unmatchedRules(seen),
        ...uselessSettings(seen),
      ]
    : []
  const all = [...findings, ...ofStacks, ...missingPaths(seen), ...ofPolicy]
  return {
    findings: all,
    notes: seen.isCut()
      ? [...notes, 'there are too many globs for so many files: not all of them were compared']
      : notes,
  }
}

import type { RepoConfig } from '#domain/config/config-file.ts'
import { rulesOfStack } from '#domain/gate/rules/match-rules.ts'
import { finish } from '#domain/steps.ts'
import type { Finding } from './finding.ts'
import type { Seen } from './seen.ts'

const selectors = ['match', 'environment', 'tag'] as const

/** Rules of `apply.rules` that no stack takes: what they ask is asked of nothing. */
export const unmatchedRules = ({ config, stacks }: Seen): Finding[] => {
  const rulesOf = finish(rulesOfStack(config))
  const taken = new Set(stacks.flatMap(({ key }) => finish(rulesOf({ key }))))
  return config.apply.rules.flatMap((rule, i): Finding[] => {
    const by = selectors.filter((selector) => rule[selector] !== undefined)
    const [first] = by
    if (taken.has(i) || first === undefined) return []
    const message = `no stack has this rule's ${by.join(' and ')}, and so it asks for nothing`
    return [{ path: ['apply', 'rules', i, first], message }]
  })
}

type Asking = { path: (string | number)[]; teams: readonly string[] | undefined; mode: string | undefined }

/** Teams of an apply for which nobody asks: where a merge applies, the code host lets people merge. */
export const unaskedTeams = ({ apply }: RepoConfig): Finding[] => {
  const asking: Asking[] = [
    { path: ['apply', 'teams'], teams: apply.teams, mode: apply.mode },
    ...apply.rules.map(({ teams, mode }, i) => ({
      path: ['apply', 'rules', i, 'teams'],
      teams,
      mode: apply.mode === 'on_merge' ? apply.mode : mode,
    })),
  ]
  const message = 'nobody asks for an apply under mode: on_merge, and so no team counts: whoever may merge applies'
  return asking
    .filter(({ teams = [], mode }) => mode === 'on_merge' && teams.length > 0)
    .map(({ path }) => ({ path, message }))
}

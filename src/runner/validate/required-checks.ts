import type { RepoConfig } from '#domain/config/config-file.ts'
import { compileGlobs } from '#domain/config/glob.ts'
import { nearest } from '#domain/edit-distance.ts'
import { rulesOfStack } from '#domain/gate/rules/match-rules.ts'
import type { StackNode } from '#domain/graph/graph.ts'
import { finish } from '#domain/steps.ts'
import type { Tree } from '../scan/tree/tree.ts'
import { type Finding, meant, someOf } from './finding.ts'
import type { Seen } from './seen.ts'

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

/** A check that applies need, and where svc.yml says so; `rule` is the place of the rule that asks for it. */
type Required = { name: string; path: (string | number)[]; rule?: number }

const requiredBy = ({ apply }: RepoConfig): Required[] => [
  ...apply.checks.map((name, i) => ({ name, path: ['apply', 'checks', i] })),
  ...apply.rules.flatMap(({ checks = [] }, rule) =>
    checks.map((name, i) => ({ name, path: ['apply', 'rules', rule, 'checks', i], rule })),
  ),
]

/** Required checks of which no plan gets a verdict, from svc.yml or a workflow: they refuse every apply. */
export const unmetChecks = (config: RepoConfig, tree: WorkflowTree | undefined): Finding[] => {
  const { checks } = config
  const ofPlans = new Set(checks.flatMap(({ name, on }) => (on === 'plan' ? [name] : [])))
  const missing = requiredBy(config).filter(({ name }) => !ofPlans.has(name))
  if (missing.length === 0) return []
  const names = checks.map(({ name }) => name)
  const known = new Set(names)
  const reported = tree === undefined ? new Set<string>() : reportedByWorkflows(tree)
  const whyNot = ({ name, rule }: Required): string => {
    const refused = `every apply ${rule === undefined ? '' : 'of the rule '}is refused without its verdict`
    return known.has(name)
      ? `the check '${name}' runs after applies, and ${refused} on the plan: expected a check with on: plan`
      : `no check has the name '${name}', and ${refused}${meant(nearest(name, names.slice(0, 1000)))}`
  }
  return missing
    .filter(({ name }) => !reported.has(name))
    .map((required) => ({ path: required.path, message: whyNot(required) }))
}

/** Required checks that are not for some of the stacks: these never get the verdict that their applies need. */
export const stacksWithoutRequired = ({ config, stacks, tree, mayCompare }: Seen): Finding[] => {
  const partial = new Map(
    config.checks.flatMap(({ name, on, match }) => (on === 'plan' && match ? [[name, match]] : [])),
  )
  const required = requiredBy(config).filter(({ name }) => partial.has(name))
  if (required.length === 0) return []
  const reported = reportedByWorkflows(tree)
  const rulesOf = finish(rulesOfStack(config))
  return required.flatMap(({ name, path: place, rule }): Finding[] => {
    const globs = partial.get(name) ?? []
    const matches = compileGlobs(globs)
    const lacks = ({ key, path }: StackNode): boolean => {
      if (!globs.every((glob) => mayCompare(glob, path.length + key.length)) || matches(path) || matches(key))
        return false
      return rule === undefined || finish(rulesOf({ key })).includes(rule)
    }
    const others = reported.has(name) ? [] : stacks.filter(lacks)
    if (others.length === 0) return []
    const keys = someOf(others.map(({ key }) => key))
    const message = `the check '${name}' is not for ${keys} (checks[].match), and every apply of a stack is refused without its verdict`
    return [{ path: place, message }]
  })
}

import type { RepoConfig } from '#domain/config/config-file.ts'
import { compileGlobs } from '#domain/config/glob.ts'
import { nearest } from '#domain/edit-distance.ts'
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

/** Names in `apply.checks` of which no plan gets a verdict, from svc.yml or a workflow: they refuse every apply. */
export const unmetChecks = ({ apply, checks }: RepoConfig, tree: WorkflowTree | undefined): Finding[] => {
  const ofPlans = new Set(checks.flatMap(({ name, on }) => (on === 'plan' ? [name] : [])))
  const missing = [...apply.checks.entries()].filter(([, name]) => !ofPlans.has(name))
  if (missing.length === 0) return []
  const names = checks.map(({ name }) => name)
  const reported = tree === undefined ? new Set<string>() : reportedByWorkflows(tree)
  const whyNot = (name: string): string =>
    names.includes(name)
      ? `the check '${name}' runs after applies, and every apply is refused without its verdict on the plan: expected a check with on: plan`
      : `no check has the name '${name}', and every apply is refused without its verdict${meant(nearest(name, names.slice(0, 1000)))}`
  return missing
    .filter(([, name]) => !reported.has(name))
    .map(([i, name]) => ({ path: ['apply', 'checks', i], message: whyNot(name) }))
}

/** Names in `apply.checks` of checks that are not for some stacks: these never get the verdict that their applies need. */
export const stacksWithoutRequired = ({ config, stacks, tree, mayCompare }: Seen): Finding[] => {
  const partial = new Map(
    config.checks.flatMap(({ name, on, match }) => (on === 'plan' && match ? [[name, match]] : [])),
  )
  const required = [...config.apply.checks.entries()].filter(([, name]) => partial.has(name))
  if (required.length === 0) return []
  const reported = reportedByWorkflows(tree)
  return required.flatMap(([i, name]): Finding[] => {
    const globs = partial.get(name) ?? []
    const matches = compileGlobs(globs)
    const isFor = ({ path, key }: { path: string; key: string }): boolean =>
      !globs.every((glob) => mayCompare(glob, path.length + key.length)) || matches(path) || matches(key)
    const others = reported.has(name) ? [] : stacks.filter((stack) => !isFor(stack))
    if (others.length === 0) return []
    const keys = someOf(others.map(({ key }) => key))
    const message = `the check '${name}' is not for ${keys} (checks[].match), and every apply of a stack is refused without its verdict`
    return [{ path: ['apply', 'checks', i], message }]
  })
}

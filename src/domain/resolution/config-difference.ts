import type { RepoConfig } from '#domain/config/config-schema.ts'
import { stackConfig } from '#domain/config/stack-config.ts'

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, i) => one === b[i])

const sameSet = (a: readonly string[], b: readonly string[]): boolean => {
  if (sameList(a, b)) return true
  const [left, right] = [new Set(a), new Set(b)]
  return left.size === right.size && a.every((one) => right.has(one))
}

/** An instance's environment is policy and never compared; the rest decides what is planned and when. */
const instances = (config: RepoConfig, path: string): string[] => {
  const { instances: all, instances_from: from = '' } = stackConfig(config, path)
  const named = Object.entries(all).map(([name, one]) => {
    const { workspace, var_files = [], backend_config = [], watch_paths = [] } = one
    return JSON.stringify([name, workspace, var_files, backend_config, [...watch_paths].sort()])
  })
  return [...named, from]
}

/** Which keys of one directory's settings differ, as `stacks[aws/prod].depends_on`. */
const stackDifferences = (a: RepoConfig, b: RepoConfig, path: string): string[] => {
  const [one, other] = [stackConfig(a, path), stackConfig(b, path)]
  /** Differs itself, not because the default for all stacks does. */
  const differs = (key: 'tool' | 'tool_version'): boolean =>
    one[key] !== other[key] && (one[key] !== a[key] || other[key] !== b[key])
  const names: string[] = []
  if (!sameSet(one.tags, other.tags)) names.push('tags')
  if (!sameSet(one.depends_on, other.depends_on)) names.push('depends_on')
  if (!sameSet(one.watch_paths, other.watch_paths)) names.push('watch_paths')
  if (!sameSet(instances(a, path), instances(b, path))) names.push('instances')
  if (one.workspace !== other.workspace) names.push('workspace')
  if (!sameList(one.var_files, other.var_files)) names.push('var_files')
  if (!sameList(one.backend_config, other.backend_config)) names.push('backend_config')
  if (differs('tool')) names.push('tool')
  if (differs('tool_version')) names.push('tool_version')
  return names.map((name) => `stacks[${path}].${name}`)
}

/**
 * The keys that decide what is planned and differ between two configurations: discover, ignore, tool and tool_version, and for
 * each of the given directories what decides when it is planned and with what. Order matters only in var_files and
 * backend_config, where the tool prefers later files to earlier ones; how settings are split into entries does not matter.
 */
export const configDifferences = (a: RepoConfig, b: RepoConfig, paths: () => Iterable<string>): string[] => {
  if (a === b) return []
  const names: string[] = []
  if (!sameSet(a.discover.include, b.discover.include)) names.push('discover.include')
  if (!sameSet(a.discover.exclude, b.discover.exclude)) names.push('discover.exclude')
  if (!sameSet(a.ignore, b.ignore)) names.push('ignore')
  if (a.tool !== b.tool) names.push('tool')
  if (a.tool_version !== b.tool_version) names.push('tool_version')
  if (JSON.stringify(a.stacks) !== JSON.stringify(b.stacks))
    for (const path of new Set(paths())) names.push(...stackDifferences(a, b, path))
  return names
}

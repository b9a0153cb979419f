import type { RepoConfig } from './config-schema.ts'
import { stackConfig, stackVariants, watchedPaths } from './stack-config.ts'

const sameSet = (a: readonly string[], b: readonly string[]): boolean => {
  if (a.length === b.length && a.every((one, i) => one === b[i])) return true
  const [left, right] = [new Set(a), new Set(b)]
  return left.size === right.size && a.every((one) => right.has(one))
}

const watches = (config: RepoConfig, path: string): string[] =>
  stackVariants(config, path).flatMap((variant) =>
    watchedPaths(variant).map((one) => `${variant.instance ?? ''}\n${one}`),
  )

/** An instance's environment is policy and compared nowhere; its name, workspace and files decide what is planned. */
const instances = (config: RepoConfig, path: string): string[] =>
  Object.entries(stackConfig(config, path).instances).map(([name, { workspace, var_files, backend_config }]) =>
    JSON.stringify([name, workspace, var_files ?? [], backend_config ?? []]),
  )

/** Which keys of one directory's settings differ, as `stacks[aws/prod].depends_on`. */
const stackDifferences = (a: RepoConfig, b: RepoConfig, path: string): string[] => {
  const names: string[] = []
  if (!sameSet(stackConfig(a, path).depends_on, stackConfig(b, path).depends_on)) names.push('depends_on')
  if (!sameSet(watches(a, path), watches(b, path))) names.push('watch_paths')
  if (!sameSet(instances(a, path), instances(b, path))) names.push('instances')
  return names.map((name) => `stacks[${path}].${name}`)
}

/**
 * The keys that decide the affected set and differ between two configurations: discover, ignore, and for each of the given
 * directories depends_on, watch_paths and instances. Order within a list and how entries are cut up make no difference.
 */
export const configDifferences = (a: RepoConfig, b: RepoConfig, paths: () => Iterable<string>): string[] => {
  if (a === b) return []
  const names: string[] = []
  if (!sameSet(a.discover.include, b.discover.include)) names.push('discover.include')
  if (!sameSet(a.discover.exclude, b.discover.exclude)) names.push('discover.exclude')
  if (!sameSet(a.ignore, b.ignore)) names.push('ignore')
  if (JSON.stringify(a.stacks) !== JSON.stringify(b.stacks))
    for (const path of new Set(paths())) names.push(...stackDifferences(a, b, path))
  return names
}

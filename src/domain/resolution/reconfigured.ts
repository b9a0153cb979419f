import { configFileName } from '#domain/config/config-file.ts'
import type { RepoConfig } from '#domain/config/config-schema.ts'
import { type StackVariant, stackSettings } from '#domain/config/stack-variants.ts'
import type { StackNode } from '#domain/graph/graph.ts'
import { namedByKey } from '../keys.ts'
import { onlyDiscoveredBy, onlyNamedBy } from './discovered.ts'
import type { ResolveInput } from './resolution.ts'

/**
 * The settings that a plan is made with. The environment is left out: plans run under `default`, and an apply takes its
 * environment from the default branch when it starts. So are the checks, which judge a plan and do not change it.
 */
const written = ({ workspace = 'default', tool, tool_version, var_files, backend_config }: StackVariant): string =>
  JSON.stringify([workspace, tool, tool_version, var_files, backend_config])

const settingsUnder =
  (config: RepoConfig) =>
  (stack: StackNode): string =>
    written(stackSettings(config, namedByKey(stack)))

/** Stacks that exist because of the uploaded configuration. */
const newUnder = (
  config: RepoConfig,
  { config: defaultConfig, graph }: NonNullable<ResolveInput['defaultBranch']>,
): ((stack: StackNode) => boolean) => {
  const onlyDiscovered = onlyDiscoveredBy(config, defaultConfig)
  const onlyNamed = onlyNamedBy(config, defaultConfig)
  const before = new Set(graph?.stacks.map(({ key }) => key))
  return (stack) => onlyDiscovered(stack) || (onlyNamed(stack.path) && !before.has(stack.key))
}

/**
 * Keys of the stacks whose settings a pull request changes in its svc.yml: new stacks (an instance, a directory now
 * discovered), and stacks whose plan is made with other settings than under the default branch's configuration. A new stack in
 * the default-branch graph still counts as new: before the first merge, that graph may be the pull request's own.
 *
 * Empty unless the pull request changes svc.yml: a branch that is merely behind a new tool_version would plan everything, and
 * applying that would set the version back.
 */
export const reconfiguredStacks = ({ graph, config, defaultBranch, changedPaths }: ResolveInput): Set<string> => {
  const keys = new Set<string>()
  if (defaultBranch === undefined || !changedPaths.includes(configFileName)) return keys
  const [settings, before] = [settingsUnder(config), settingsUnder(defaultBranch.config)]
  const isNew = newUnder(config, defaultBranch)
  for (const stack of graph.stacks) {
    if (!stack.external && (isNew(stack) || settings(stack) !== before(stack))) keys.add(stack.key)
  }
  return keys
}

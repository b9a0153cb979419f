import type { RepoConfig } from '#domain/config/config-schema.ts'
import { isNamedDirectory, isStackDirectory } from '#domain/config/stack-config.ts'
import { declaresStack, ownFile } from '#domain/config/stack-variants.ts'
import type { StackNode } from '#domain/graph/graph.ts'
import { namedByKey } from '../keys.ts'

const declares = (config: RepoConfig, stack: StackNode): boolean =>
  config.stacks.length === 0 ? stack.key === stack.path : declaresStack(config, namedByKey(stack))

/** Whether a configuration discovers a stack. For an instance that neither configuration declares, the graph is believed. */
const discovers = (config: RepoConfig, other: RepoConfig, stack: StackNode): boolean =>
  isStackDirectory(config, stack.path) && (declares(config, stack) || !declares(other, stack))

/** Whether the files that make instances are others: a scan under the one says nothing of a stack under the other. */
const looksElsewhere = (config: RepoConfig, other: RepoConfig, stack: StackNode): boolean => {
  const file = config.stacks.length === 0 ? undefined : ownFile(config, namedByKey(stack))
  return file !== undefined && file !== ownFile(other, namedByKey(stack))
}

/** Stacks of the one configuration's graph that the other does not discover. */
export const onlyDiscoveredBy =
  (config: RepoConfig, other: RepoConfig) =>
  (stack: StackNode): boolean =>
    !stack.external &&
    discovers(config, other, stack) &&
    (!discovers(other, config, stack) || looksElsewhere(other, config, stack))

/**
 * Directories that one configuration names in full, and the other at most by a glob. Whether the other finds a stack there
 * depends on the files in it (a glob leaves out what looks like a module), so only a graph made with it can say.
 */
export const onlyNamedBy =
  (config: RepoConfig, other: RepoConfig) =>
  (path: string): boolean =>
    isNamedDirectory(config, path) && !isNamedDirectory(other, path)

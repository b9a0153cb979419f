import type { RepoConfig } from '#domain/config/config-schema.ts'
import { isStackDirectory } from '#domain/config/stack-config.ts'
import { ownFile } from '#domain/config/stack-variants.ts'
import type { StackNode } from '#domain/graph/graph.ts'
import type { GraphIndex } from '#domain/graph/graph-index.ts'
import { namedByKey } from '../keys.ts'
import { touchedBy } from './changed-paths.ts'
import { onlyNamedBy } from './discovered.ts'
import type { ResolveInput } from './resolution.ts'

/** What a commit must have for a stack to be there: its directory, and the file that makes it an instance. */
export const homesOf = (config: RepoConfig, stack: StackNode): string[] => {
  const file = ownFile(config, namedByKey(stack))
  return file === undefined ? [stack.path] : [stack.path, file]
}

/**
 * Whether a stack that the uploaded graph does not have is deleted, as far as the service knows: either somebody looked, or the
 * configuration would discover it but the scan found nothing. The latter proves nothing about a directory that is a stack only
 * because it is named in full, nor about an instance that the default branch makes of another file.
 */
export const goneOf = ({ graph, config, defaultBranch, gonePaths }: ResolveInput): ((stack: StackNode) => boolean) => {
  const gone = new Set(gonePaths)
  const isUnnamed = defaultBranch === undefined ? () => false : onlyNamedBy(defaultBranch.config, config)
  const theirs = defaultBranch?.config ?? config
  let present: Set<string> | undefined
  return (stack) => {
    const { path } = stack
    present ??= new Set(graph.stacks.map((one) => one.path))
    if (homesOf(theirs, stack).some((home) => gone.has(home))) return true
    const file = ownFile(config, namedByKey(stack))
    if (file !== undefined && file !== ownFile(theirs, namedByKey(stack))) return false
    if (present.has(path)) return file !== undefined
    return isStackDirectory(config, path) && !isUnnamed(path)
  }
}

/** Stacks of the default branch that a pull request deletes, sorted. */
export const removedStacks = (
  { changedPaths, defaultBranch }: ResolveInput,
  uploaded: GraphIndex,
  isGone: (stack: StackNode) => boolean,
): string[] => {
  if (defaultBranch?.graph === undefined) return []
  const { config, graph } = defaultBranch
  const touched = touchedBy(changedPaths)
  return graph.stacks
    .filter(({ key, external }) => !external && !uploaded.stackIds.has(key))
    .filter((stack) => homesOf(config, stack).some((home) => touched.has(home)))
    .filter((stack) => isStackDirectory(config, stack.path) && isGone(stack))
    .map(({ key }) => key)
    .sort()
}

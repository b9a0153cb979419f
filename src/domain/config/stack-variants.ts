import { formatStackKey, isInside, pathFrom } from '../keys.ts'
import type { InstanceEntry, RepoConfig } from './config-schema.ts'
import { escapedForGlob } from './glob.ts'
import { fileOfInstance } from './instances-from.ts'
import { filled, type Named } from './placeholders.ts'
import { type StackConfig, stackConfig } from './stack-config.ts'

/** One stack of a directory: the directory itself, or an instance of it with the instance's additions; placeholders replaced. */
export type StackVariant = Omit<StackConfig, 'instances'> & { key: string; path: string; instance?: string }

const hyphenated = (value: string): string => value.replaceAll('/', '-')

/** An instance's own settings; none of one that the configuration does not know. */
const ownOf = (instances: Record<string, InstanceEntry>, { instance }: Named): InstanceEntry =>
  (instance !== undefined && Object.hasOwn(instances, instance) && instances[instance]) || {}

/** The environment of a stack's apply. */
export const environmentOf = (config: RepoConfig, stack: Named): string => {
  const { instances, environment } = stackConfig(config, stack.path)
  return filled(ownOf(instances, stack).environment ?? environment, stack) ?? 'default'
}

/**
 * The settings of a stack, whether or not the configuration declares it: an instance that it does not know has those of the
 * directory. An instance's files come after the directory's. What names the instance is left out for a stack that is none.
 */
export const stackSettings = (config: RepoConfig, stack: Named): StackVariant => {
  const { path, instance } = stack
  const { instances, workspace, environment: _, ...shared } = stackConfig(config, path)
  const own = ownOf(instances, stack)
  const all = (texts: readonly string[], more: readonly string[] | undefined, spell?: (value: string) => string) =>
    [...texts, ...(more ?? [])].flatMap((text) => filled(text, stack, spell) ?? [])
  const selected = filled(own.workspace ?? workspace ?? '', stack, hyphenated)
  return {
    ...shared,
    key: formatStackKey(path, instance),
    path,
    ...(instance === undefined ? {} : { instance }),
    ...(selected ? { workspace: selected } : {}),
    environment: environmentOf(config, stack),
    watch_paths: all(shared.watch_paths, own.watch_paths, escapedForGlob),
    var_files: all(shared.var_files, own.var_files),
    backend_config: all(shared.backend_config, own.backend_config),
  }
}

/**
 * The stacks of a directory: one for each instance, or just the directory. `found` are the names that files of the tree give to
 * instances; a directory of such instances without any has no stack.
 */
export const stackVariants = (config: RepoConfig, path: string, found: readonly string[] = []): StackVariant[] => {
  if (declaresStack(config, { path })) return [stackSettings(config, { path })]
  const names = new Set([...Object.keys(stackConfig(config, path).instances), ...found])
  return [...names].map((instance) => stackSettings(config, { path, instance }))
}

/**
 * Whether the configuration makes a directory this stack: an instance that it names, one of those that files make, or the
 * directory without instances.
 */
export const declaresStack = (config: RepoConfig, { path, instance }: Named): boolean => {
  const { instances, instances_from: from } = stackConfig(config, path)
  if (instance !== undefined) return from !== undefined || Object.hasOwn(instances, instance)
  return from === undefined && Object.keys(instances).length === 0
}

/** The file that makes a stack an instance, unless the configuration names that instance itself. */
export const ownFile = (config: RepoConfig, stack: Named): string | undefined => {
  const { instances, instances_from: from } = stackConfig(config, stack.path)
  const isNamed = stack.instance !== undefined && Object.hasOwn(instances, stack.instance)
  return isNamed ? undefined : fileOfInstance(from, stack)
}

/**
 * Files of a stack that are named, as paths in the repository: var files and backend configuration files, which the tool is
 * given, and the file that makes it an instance.
 */
export const namedFiles = (variant: StackVariant): string[] => {
  const { path, var_files, backend_config, instances_from: from } = variant
  const given = [...var_files, ...backend_config.filter((one) => !/^[A-Za-z_][\w-]*=/.test(one))]
  const own = fileOfInstance(from, variant)
  return [...given.flatMap((file) => pathFrom(path, file) ?? []), ...(own === undefined ? [] : [own])]
}

/** Paths and globs outside the directory that affect the stack: watch_paths, and the named files that are outside. */
export const watchedPaths = (variant: StackVariant): string[] => [
  ...variant.watch_paths,
  ...namedFiles(variant).filter((file) => !isInside(file, variant.path)),
]

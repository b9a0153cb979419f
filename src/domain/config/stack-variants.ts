import { formatStackKey, isInside, pathFrom } from '../keys.ts'
import type { InstanceEntry, RepoConfig } from './config-schema.ts'
import { escapedForGlob } from './glob.ts'
import { filled, type Named } from './placeholders.ts'
import { type StackConfig, stackConfig } from './stack-config.ts'

/** One stack of a directory: the directory itself, or an instance of it with the instance's additions; placeholders replaced. */
export type StackVariant = Omit<StackConfig, 'instances'> & { key: string; path: string; instance?: string }

const hyphenated = (value: string): string => value.replaceAll('/', '-')

/**
 * The settings of a stack, whether or not the configuration declares it: an instance that it does not know has those of the
 * directory. An instance's files come after the directory's. What names the instance is left out for a stack that is none.
 */
export const stackSettings = (config: RepoConfig, stack: Named): StackVariant => {
  const { path, instance } = stack
  const { instances, workspace, environment, ...shared } = stackConfig(config, path)
  const own: InstanceEntry = (instance !== undefined && Object.hasOwn(instances, instance) && instances[instance]) || {}
  const all = (texts: readonly string[], more: readonly string[] | undefined, spell?: (value: string) => string) =>
    [...texts, ...(more ?? [])].flatMap((text) => filled(text, stack, spell) ?? [])
  const selected = filled(own.workspace ?? workspace ?? '', stack, hyphenated)
  return {
    ...shared,
    key: formatStackKey(path, instance),
    path,
    ...(instance === undefined ? {} : { instance }),
    ...(selected ? { workspace: selected } : {}),
    environment: filled(own.environment ?? environment, stack) ?? 'default',
    watch_paths: all(shared.watch_paths, own.watch_paths, escapedForGlob),
    var_files: all(shared.var_files, own.var_files),
    backend_config: all(shared.backend_config, own.backend_config),
  }
}

/** The stacks of a directory: one for each instance, or just the directory. */
export const stackVariants = (config: RepoConfig, path: string): StackVariant[] => {
  const names = Object.keys(stackConfig(config, path).instances)
  if (names.length === 0) return [stackSettings(config, { path })]
  return names.map((instance) => stackSettings(config, { path, instance }))
}

/** Whether the configuration makes a directory this stack: an instance that it names, or the directory without instances. */
export const declaresStack = (config: RepoConfig, { path, instance }: Named): boolean => {
  const { instances } = stackConfig(config, path)
  return instance === undefined ? Object.keys(instances).length === 0 : Object.hasOwn(instances, instance)
}

/** Files that the tool is given by name (var files and backend configuration files), as paths in the repository. */
export const namedFiles = ({ path, var_files, backend_config }: StackVariant): string[] =>
  [...var_files, ...backend_config.filter((one) => !/^[A-Za-z_][\w-]*=/.test(one))].flatMap(
    (file) => pathFrom(path, file) ?? [],
  )

/** Paths and globs outside the directory that affect the stack: watch_paths, and the named files that are outside. */
export const watchedPaths = (variant: StackVariant): string[] => [
  ...variant.watch_paths,
  ...namedFiles(variant).filter((file) => !isInside(file, variant.path)),
]

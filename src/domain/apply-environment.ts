import type { RepoConfig } from './config-file.ts'
import { stackConfig, stackVariants } from './stack-config.ts'

/**
 * The code host's environment that the apply of a stack runs under, by the default branch's configuration (spec, 'Resolution
 * rules': never by that of the pull request). An instance that the default branch does not know yet has its directory's.
 */
export const applyEnvironment = (config: RepoConfig, stack: { path: string; instance?: string | undefined }): string =>
  stackVariants(config, stack.path).find(({ instance }) => instance === stack.instance)?.environment ??
  stackConfig(config, stack.path).environment

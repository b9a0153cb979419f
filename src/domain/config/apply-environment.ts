import type { RepoConfig } from './config-file.ts'
import { stackConfig, stackVariants } from './stack-config.ts'

/**
 * The code host's environment that a stack's apply runs under. The default branch's configuration decides it, never the pull
 * request's (docs/interface.md, 'Resolution rules'). An instance that the default branch does not know yet has its directory's
 * environment.
 */
export const applyEnvironment = (config: RepoConfig, stack: { path: string; instance?: string | undefined }): string =>
  stackVariants(config, stack.path).find(({ instance }) => instance === stack.instance)?.environment ??
  stackConfig(config, stack.path).environment

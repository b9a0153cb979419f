import type { RepoConfig } from './config-file.ts'
import type { Named } from './placeholders.ts'
import { stackSettings } from './stack-variants.ts'

/**
 * The code host's environment that a stack's apply runs under. The default branch's configuration decides it, never the pull
 * request's (docs/interface.md, 'Resolution rules'). An instance that the default branch does not know yet has its directory's
 * environment.
 */
export const applyEnvironment = (config: RepoConfig, stack: Named): string => stackSettings(config, stack).environment

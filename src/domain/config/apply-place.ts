import type { RepoConfig } from './config-file.ts'
import type { Named } from './placeholders.ts'
import { stackConfig } from './stack-config.ts'
import { environmentOf } from './stack-variants.ts'

/**
 * Where a stack's apply runs: the code host's environment, and the labels of its runners. The default branch's configuration decides it,
 * never the pull request's (docs/interface.md, 'Resolution rules'): its runners may reach what others must not. An instance that the
 * default branch does not know yet has its directory's.
 */
export const applyPlace = (
  config: RepoConfig,
  stack: Named,
): { environment: string; runs_on: string[] | undefined } => ({
  environment: environmentOf(config, stack),
  runs_on: stackConfig(config, stack.path).runs_on,
})

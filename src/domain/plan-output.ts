import type { RepoConfig } from './config/config-schema.ts'
import { stackConfig, stackConfigInSteps } from './config/stack-config.ts'
import type { Steps } from './steps.ts'

/** Whether anything may be kept to `summary`: mostly nothing is, and nothing need be looked up. */
export const keepsAny = ({ plan, stacks }: RepoConfig): boolean =>
  plan.output === 'summary' || stacks.some(({ plan_output: one }) => one === 'summary')

/**
 * Which of these directories the default branch's configuration keeps to `summary`. That is policy, and always wins
 * (docs/interface.md, 'Resolution rules').
 */
export function* pathsKeptToSummary(config: RepoConfig, paths: Iterable<string>): Steps<Set<string>> {
  const kept = new Set<string>()
  if (!keepsAny(config)) return kept
  for (const path of paths) if ((yield* stackConfigInSteps(config, path)).plan_output === 'summary') kept.add(path)
  return kept
}

/** The same of one directory after another, all at once. */
export const keptToSummary = (config: RepoConfig): ((path: string) => boolean) =>
  keepsAny(config) ? (path) => stackConfig(config, path).plan_output === 'summary' : () => false

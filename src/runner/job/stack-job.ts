import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RepoConfig } from '#domain/config/config-file.ts'
import { declaresStack, type StackVariant, stackSettings } from '#domain/config/stack-variants.ts'
import { parseStackKey, repositoryPath } from '#domain/keys.ts'
import { Problem } from '#errors.ts'
import type { ToolName } from '../scan/facts/directories.ts'
import { toolNamed } from '../tool-named.ts'
import type { Selected } from './selection.ts'

/** Everything known of a stack before its tool is run. */
export type StackJob = {
  key: string
  /** From the repository's root, and absolute. */
  path: string
  directory: string
  instance: string | undefined
  /** To be selected; undefined for the default one. */
  workspace: string | undefined
  environment: string
  tool: ToolName
  /** What is run as the tool: a name on the PATH, or a path. */
  program: string
  /** The version wanted, `1.11` or `1.11.4`. */
  toolVersion: string | undefined
  planOutput: 'full' | 'summary'
  varFiles: string[]
  backendConfig: string[]
  /** How long the tool waits for a lock of the state, as it reads durations. */
  lockTimeout: string
  /** How often init is tried again after an error of the network or a registry. */
  initRetries: number
  /** Name of the artifact with its saved plan; undefined if none was saved. */
  artifact: string | undefined
  /** Whether svc.yml of this checkout, or the matrix, says how the stack is planned. */
  isConfigured: boolean
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** A directory's own name may hold a colon, so the directory that exists decides. */
const pathOfKey = (root: string, key: string): string => {
  const { path, instance } = parseStackKey(key)
  return instance !== undefined && !isDirectory(join(root, path)) && isDirectory(join(root, key)) ? key : path
}

const placeOf = (root: string, { key, stack }: Selected): { path: string; directory: string } => {
  const written = stack ?? pathOfKey(root, key)
  const path = repositoryPath(written)
  if (path === undefined) throw new Problem('invalid', `'${written}' is not a path relative to the repository's root`)
  return { path, directory: join(root, path) }
}

/** Both policies count: a plan that either of them keeps back is kept back. */
const planOutputOf = (selected: Selected, variant: Pick<StackVariant, 'plan_output'>): 'full' | 'summary' =>
  selected.plan_output === 'summary' || variant.plan_output === 'summary' ? 'summary' : 'full'

/** Without a matrix: a directory with Terragrunt's file, or one that it generates, is Terragrunt's whatever svc.yml says. */
const isUnit = (path: string, directory: string): boolean =>
  existsSync(join(directory, 'terragrunt.hcl')) || path.split('/').includes('.terragrunt-stack')

/** Combines what the matrix and the checkout's svc.yml say of a stack. */
export const stackJob = (
  selected: Selected,
  { root, config, program }: { root: string; config: RepoConfig; program: string | undefined },
): StackJob => {
  const { key } = selected
  const { path, directory } = placeOf(root, selected)
  const { instance } = path === key ? {} : selected.instance === undefined ? parseStackKey(key) : selected
  const said = stackSettings(config, { path, instance })
  const isDeclared = declaresStack(config, { path, instance })
  const meant = selected.tool ?? (isUnit(path, directory) ? 'terragrunt' : said.tool)
  // No other program can run a unit, so one that is named for it is a Terragrunt, whatever its name.
  const tool = program === undefined || meant === 'terragrunt' ? meant : toolNamed(program)
  return {
    key,
    path,
    directory,
    instance,
    workspace: selected.workspace ?? said.workspace,
    environment: selected.environment ?? said.environment,
    tool,
    program: program ?? tool,
    toolVersion: selected.tool_version ?? said.tool_version,
    planOutput: planOutputOf(selected, said),
    varFiles: selected.var_files ?? said.var_files,
    backendConfig: selected.backend_config ?? said.backend_config,
    lockTimeout: said.lock_timeout,
    initRetries: config.init.retries,
    artifact: selected.artifact || undefined,
    isConfigured: isDeclared || selected.var_files !== undefined || selected.backend_config !== undefined,
  }
}

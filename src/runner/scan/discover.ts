import type { RepoConfig } from '#domain/config/config-file.ts'
import { isLiteral } from '#domain/config/glob.ts'
import { isStackDirectory, stackConfig } from '#domain/config/stack-config.ts'
import { pathFrom, repositoryPath } from '#domain/keys.ts'
import { literal } from '../hcl/evaluate.ts'
import type { Directories, ToolName } from './facts/directories.ts'
import type { Units } from './terragrunt/find-units.ts'

/*
 * Which directories are stacks, of those that `discover.include` matches and `discover.exclude` does not:
 *
 * 1. one that `discover.include` names in full, without a wildcard, is a stack;
 * 2. one with a `backend` or `cloud` block is a stack: state is kept for it;
 * 3. one that declares something (a resource, data source, module or provider configuration) is a stack, unless another
 *    directory uses it as a module by path, or it is called `modules` or below one that is. Blocks that only say where something
 *    went (`moved`, `removed`) declare nothing.
 *
 * A unit of Terragrunt is a stack, too, unless only others include it. The code that it runs is a module.
 *
 * What discover.command lists is a stack, whatever is in it.
 *
 * A glob narrows and a name decides, so `include: [infra/**]` does not turn the modules below infra into stacks. The
 * name `modules` is the language's own convention for what is not run by itself (Terraform, 'Standard Module Structure').
 */

/** The tool of a directory: the configuration's, but OpenTofu if all its files are for OpenTofu. */
const toolOf = (config: RepoConfig, directories: Directories, path: string): ToolName =>
  directories.isTofuOnly(path) ? 'tofu' : stackConfig(config, path).tool

/** Directories that another directory uses as a module, for either of the two tools. */
const usedAsModules = (directories: Directories): Set<string> => {
  const used = new Set<string>()
  for (const directory of directories.all) {
    const asTerraform = directories.facts(directory, 'terraform').modules
    const asTofu = directories.facts(directory, 'tofu').modules
    for (const call of asTerraform === asTofu ? asTerraform : [...asTerraform, ...asTofu]) {
      const source = literal(call.arguments.source ?? 'null')
      if (typeof source !== 'string' || !source.startsWith('.')) continue
      const written = pathFrom(directory, source)
      const path = written === undefined ? undefined : directories.real(written)
      if (path !== undefined && path !== directory) used.add(path)
    }
  }
  return used
}

const isOfModules = (path: string): boolean => path.split('/').includes('modules')

/** The stack directories of a tree, sorted, each with its tool. A plain directory is none for Terragrunt, which needs its own file. */
export const discover = (
  config: RepoConfig,
  directories: Directories,
  units: Units,
  listed: readonly string[],
): { path: string; tool: ToolName }[] => {
  const named = new Set(config.discover.include.filter(isLiteral).map((path) => repositoryPath(path)))
  const used = usedAsModules(directories)
  const isListed = new Set(listed)
  const listedTool = (path: string): ToolName =>
    units.all.has(path) ? 'terragrunt' : toolOf(config, directories, path)
  const plain = directories.all.flatMap((path) => {
    if (units.all.has(path) || isListed.has(path) || !isStackDirectory(config, path)) return []
    const tool = toolOf(config, directories, path)
    if (tool === 'terragrunt') return []
    const { backend, declares } = directories.facts(path, tool)
    const isModule = units.sources.has(path)
    const isRoot = !isModule && (backend !== undefined || (declares && !used.has(path) && !isOfModules(path)))
    return named.has(path) || isRoot ? [{ path, tool }] : []
  })
  const taken = (path: string): boolean => isStackDirectory(config, path)
  const run = [...units.all.keys()].filter((path) => taken(path) && !isListed.has(path))
  return [
    ...plain,
    ...run.map((path) => ({ path, tool: 'terragrunt' as const })),
    ...listed.filter(taken).map((path) => ({ path, tool: listedTool(path) })),
  ].sort((a, b) => (a.path < b.path ? -1 : 1))
}

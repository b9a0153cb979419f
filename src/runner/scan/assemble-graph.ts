import type { RepoConfig } from '#domain/config/config-file.ts'
import { isWorkspaceName } from '#domain/config/config-values.ts'
import { isLiteral } from '#domain/config/glob.ts'
import { namedFiles, type StackVariant, stackVariants, watchedPaths } from '#domain/config/stack-variants.ts'
import type { Edge, ModuleNode, StackNode } from '#domain/graph/graph.ts'
import { pathFrom, repositoryPath } from '#domain/keys.ts'
import { parentOf } from '#domain/resolution/changed-paths.ts'
import { clip } from '#domain/texts/markdown.ts'
import type { Scope } from '../hcl/traverse.ts'
import { discover } from './discover.ts'
import { dependsOnEdges } from './edges/depends-on.ts'
import { submoduleOf, watchesOf } from './edges/linked-files.ts'
import { moduleUses, reachedModules, usesModuleEdges } from './edges/module-edges.ts'
import { outsideFiles } from './edges/outside-files.ts'
import { type Reading, readsElsewhere, readsStateEdges, stateReader, unsettled } from './edges/reads-state.ts'
import type { Directories } from './facts/directories.ts'
import { instanceFinder } from './instances.ts'
import { FOUND_BY_COMMAND, type Listed, listedEdges, listedStacks, listedState, withListed } from './listed-stacks.ts'
import type { Listing } from './listing.ts'
import { effectiveBackend, type KeptState } from './state/effective-backend.ts'
import { scopeOf } from './state/scope.ts'
import { toolVersion, versionFiles } from './state/tool-version.ts'
import { valuesFiles } from './state/values-file.ts'
import { automaticValueFiles, variableInput } from './state/variable-values.ts'
import { findUnits, type Units } from './terragrunt/find-units.ts'
import type { Unit } from './terragrunt/unit.ts'
import { dependencyEdges, modulesWithUnits, unitWatches } from './terragrunt/unit-graph.ts'
import { codeOf, unitScope, unitState } from './terragrunt/unit-state.ts'
import type { Tree } from './tree/tree.ts'
import { type Warn, warningList } from './warning.ts'

export type Parts = { stacks: StackNode[]; modules: ModuleNode[]; edges: Edge[] }

export type Material = {
  repo: string
  codehost: string
  config: RepoConfig
  listing?: Listing | undefined
  directories: Directories
  tree: Tree
  paths: readonly string[]
  warn: Warn
}

/** A stack with the scope that its text is evaluated in, and the state it keeps. */
type Placed = { variant: StackVariant; scope: Scope; kept: KeptState; unit?: Unit; isListed?: boolean }

const placedStacks = (
  { config, codehost, directories, tree, paths, warn }: Material,
  units: Units,
  listed: Listed,
): Placed[] => {
  const values = valuesFiles(tree, warn)
  const automatic = automaticValueFiles(paths)
  const found = instanceFinder(config, paths, warn)
  const place = (variant: StackVariant): Placed => {
    const { path, tool, workspace = 'default' } = variant
    const files = variableInput(variant, automatic, values)
    const unit = tool === 'terragrunt' ? units.all.get(path) : undefined
    if (unit !== undefined) {
      for (const said of unit.unresolved) warn({ code: 'terragrunt_unresolved', ...said, stacks: [variant.key] })
      const facts = directories.facts(codeOf(unit, { codehost, directories }).directories[0] ?? path, tool)
      const context = { directories, codehost, values, warn }
      const scope = unitScope(unit, { facts, files, workspace }, context)
      return { variant, scope, kept: unitState(unit, variant, scope, context), unit }
    }
    const facts = directories.facts(path, tool)
    const scope = scopeOf(facts, { input: files, workspace, modulePath: '.' })
    // A generator may write the directory in the job alone.
    const isThere = directories.has(path) || listed.of(variant) === undefined
    return { variant, scope, kept: isThere ? effectiveBackend(variant, facts, { scope, values, warn }) : {} }
  }
  return discover(config, directories, units, listed.paths).flatMap(({ path, tool }) =>
    stackVariants(config, path, [...found(path), ...listed.instances(path)]).map((configured) => {
      const said = listed.of(configured)
      const placed = place(withListed({ ...configured, tool }, said))
      return said === undefined ? placed : { ...placed, kept: listedState(said) ?? placed.kept, isListed: true }
    }),
  )
}

/**
 * What a stack watches: what the configuration says, with where links lead from there, what its code reads, and the version file
 * that decides. Who changes that file wants all plans made with the new version; a branch that is merely behind does not change it.
 */
const watchesOfStack = (
  { variant, unit }: Placed,
  tree: Tree,
  outside: readonly string[],
  versionFile: string | undefined,
): string[] => {
  const named = tree.links.all.size === 0 ? [] : namedFiles(variant).filter((file) => tree.links.real(file) !== file)
  const ofUnit = unit === undefined ? [] : unitWatches(unit, tree)
  const version =
    versionFile === undefined || parentOf(versionFile) === variant.path ? [] : watchesOf(tree, versionFile)
  const ofNamed = named.flatMap((file) => watchesOf(tree, file))
  return [...new Set([...watchedPaths(variant), ...ofNamed, ...ofUnit, ...outside, ...version])]
}

const stackNode = (
  { variant, kept, isListed }: Placed,
  version: string | undefined,
  watched: readonly string[],
): StackNode => {
  const { key, path, environment, tool, plan_output, instance, workspace, depends_on, tags } = variant
  return {
    key,
    path,
    ...(kept.backend === undefined ? {} : { backend: kept.backend }),
    environment,
    tool,
    ...(version === undefined ? {} : { tool_version: version }),
    plan_output,
    ...(depends_on.length === 0 && isListed !== true
      ? {}
      : {
          config: {
            ...(depends_on.length === 0 ? {} : { depends_on }),
            ...(isListed ? { found_by: FOUND_BY_COMMAND } : {}),
          },
        }),
    ...(instance === undefined ? {} : { instance }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(watched.length === 0 ? {} : { watch_paths: [...watched] }),
    ...(tags.length === 0 ? {} : { tags }),
  }
}

/** A few names are enough to find the place; a thousand instances may share it. */
const NAMED = 5

const someOf = (stacks: readonly string[]): string => {
  const more = stacks.length - NAMED
  return more > 0 ? `${stacks.slice(0, NAMED).join(', ')} and ${more} more` : stacks.join(' and ')
}

const keepersOf = (placed: readonly Placed[], warn: Warn): Map<string, string[]> => {
  const keepers = new Map<string, string[]>()
  for (const { variant, kept } of placed) {
    if (kept.identity === undefined) continue
    const sharing = keepers.get(kept.identity)
    if (sharing === undefined) keepers.set(kept.identity, [variant.key])
    else sharing.push(variant.key)
  }
  for (const stacks of keepers.values()) {
    if (stacks.length === 1) continue
    warn({
      code: 'state_shared',
      message: `${someOf(stacks)} keep their state in the same place: each would undo the other`,
      stacks,
    })
  }
  return keepers
}

/** Names in svc.yml that the tree does not have. They make nothing fail, but are surely mistakes. */
const warnOfNames = ({ config, tree, warn }: Material, placed: readonly Placed[]): void => {
  const paths = new Set(placed.map(({ variant }) => variant.path))
  const named = [
    ...config.discover.include.map((path, i) => ({ path, where: `discover.include[${i}]` })),
    ...config.stacks.map(({ match }, i) => ({ path: match, where: `stacks[${i}].match` })),
  ]
  for (const { path, where } of named) {
    const written = repositoryPath(path) ?? path
    if (!isLiteral(path) || paths.has(written)) continue
    const real = tree.links.real(written)
    const what = paths.has(real) ? `a link: its stack is called ${real}` : 'not a stack'
    warn({ code: 'no_such_directory', message: `svc.yml: ${where} names ${path}, which is ${what}` })
  }
  for (const { variant } of placed) {
    const { key, workspace } = variant
    if (workspace !== undefined && !isWorkspaceName(workspace))
      warn({
        code: 'workspace_invalid',
        message: `${key}: '${clip(workspace, 100)}' is not a workspace name: no spaces and no slashes, up to 90 characters`,
        stacks: [key],
      })
    for (const file of variant.var_files) {
      const path = pathFrom(variant.path, file)
      if (path !== undefined && tree.has(path)) continue
      const message = `${variant.key}: the var file ${file} is not in the repository`
      warn({ code: 'file_missing', message, stacks: [variant.key] })
    }
  }
}

const byKey = (a: { key: string }, b: { key: string }): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)

const edgeOrder = ({ from, to, type, meta }: Edge): string =>
  `${from.kind} ${from.key}\0${type} ${to.key}\0${meta?.ref ?? ''}`

/** Edges of one node one after another, in the same order on every machine. */
const sortedEdges = (edges: readonly Edge[]): Edge[] =>
  edges
    .map((edge) => ({ edge, order: edgeOrder(edge) }))
    .sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))
    .map(({ edge }) => edge)

const uniqueByKey = (nodes: readonly StackNode[]): StackNode[] => [
  ...new Map(nodes.map((node) => [node.key, node])).values(),
]

const pairOf = ({ from, to }: Edge): string => `${from.key}\n${to.key}`

/** Turns what the files say into stacks, modules and edges. */
export const assembleGraph = (material: Material): Parts => {
  const { repo, codehost, config, directories, tree, paths, warn } = material
  const units = findUnits({ config, codehost, tree, paths, hasCode: directories.has, warn })
  const listed = listedStacks(material.listing)
  const unplaced = warningList()
  const hold: Warn = (warning) => (warning.code === 'backend_unresolved' ? unplaced.warn : warn)(warning)
  const placed = placedStacks({ ...material, warn: hold }, units, listed)
  const isForeign = (path: string): boolean => submoduleOf(tree.submodules, path) !== undefined
  const ofFiles = moduleUses({ repo, codehost, directories, isForeign, warn })
  const uses = modulesWithUnits({ repo, codehost, units, directories, warn }, ofFiles)
  const stacks = new Set(placed.map(({ variant }) => variant.path))
  const outside = outsideFiles({ directories, tree, stacks, uses })
  const versions = versionFiles(tree)
  const nodes = placed.map((one) => {
    const { path, tool } = one.variant
    const required = tool === 'terragrunt' ? [one.unit?.version ?? ''] : directories.facts(path, tool).requiredVersions
    const decided = toolVersion(one.variant, required, versions)
    const watched = watchesOfStack(one, tree, outside(one.variant, one.scope), decided?.file)
    return stackNode(one, decided?.version, watched)
  })
  const reached = reachedModules(
    placed.map(({ variant }) => variant),
    uses,
  )
  const readStates = stateReader({ directories, uses: ofFiles })
  const reading = new Map<string, Reading>(
    placed.map(({ variant, scope, unit }) => {
      const code = unit === undefined ? [variant.path] : codeOf(unit, { codehost, directories }).directories
      const read = code.map((path) => readStates({ ...variant, path }, scope))
      return [
        variant.key,
        { states: read.flatMap(({ states }) => states), unknown: read.flatMap(({ unknown }) => unknown) },
      ]
    }),
  )
  const dependencies = dependsOnEdges(nodes, repo, warn)
  const ofListing = listedEdges(material.listing, listed, nodes, repo, warn)
  const read = dependencyEdges(placed, { units, directories, warn })
  const isRead = new Set(read.filter(({ type }) => type === 'reads_state').map(pairOf))
  const isNew = (edge: Edge): boolean => isRead.size === 0 || !isRead.has(pairOf(edge))
  const keepers = keepersOf(placed, warn)
  const byState = readsStateEdges(reading, keepers).filter(isNew)
  if (readsElsewhere(reading, keepers)) for (const warning of unplaced.all()) warn(warning)
  const settling = [...dependencies.edges, ...byState, ...read, ...ofListing.edges]
  for (const warning of unsettled(reading, settling)) warn(warning)
  warnOfNames(material, placed)
  return {
    stacks: [...nodes, ...uniqueByKey([...dependencies.stacks, ...ofListing.stacks])].sort(byKey),
    modules: reached.modules.sort(byKey),
    edges: sortedEdges([
      ...placed.flatMap(({ variant: { key, path, tool } }) =>
        usesModuleEdges({ kind: 'stack', key }, uses(path, tool)),
      ),
      ...reached.edges,
      ...dependencies.edges,
      ...byState,
      ...read,
      ...ofListing.edges.filter((edge) => edge.type === 'depends_on' || isNew(edge)),
    ]),
  }
}

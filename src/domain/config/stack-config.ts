import { repositoryPath } from '../keys.ts'
import { finish, type Steps } from '../steps.ts'
import type { InstanceEntry, RepoConfig, StackEntry } from './config-schema.ts'
import { compileGlob, compileGlobs, globPlace, isLiteral, type PathMatcher } from './glob.ts'
import { createPairMeter } from './wildcard.ts'

/** The configuration's settings for one directory, defaults applied. Texts are as written: relative to it, with placeholders. */
export type StackConfig = Omit<StackEntry, 'match' | 'instances'> & {
  environment: string
  plan_output: RepoConfig['plan']['output']
  tool: RepoConfig['tool']
  tags: string[]
  depends_on: string[]
  watch_paths: string[]
  var_files: string[]
  backend_config: string[]
  instances: Record<string, InstanceEntry>
  /** Names the files that make instances, beside those. */
  instances_from?: string
  lock_timeout: RepoConfig['lock_timeout']
}

type Candidate = { order: number; entry: StackEntry; matches: PathMatcher }
type Compiled = {
  isStackDirectory: PathMatcher
  isNamed: PathMatcher
  literal: Map<string, Candidate[]>
  byBase: Map<string, Candidate[]>
  /** Results of stackConfig: resolution under two configurations asks about ten times for each directory. */
  known: Map<string, StackConfig>
  /** Most directories have the same few entries, and so the same settings: they are merged once. */
  merged: Map<string, StackConfig>
}

const push = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

/*
 * Entries are looked up by the directory that their glob starts with: with an entry for each of 10,000 stacks, trying every
 * glob on every directory would be 10^8 matches. Kept per configuration object, which never changes once it is parsed.
 */
const compiled = new WeakMap<RepoConfig, Compiled>()

const compile = (config: RepoConfig): Compiled => {
  const included = compileGlobs(config.discover.include)
  const excluded = compileGlobs(config.discover.exclude)
  const named = new Set(config.discover.include.filter(isLiteral).map((path) => repositoryPath(path)))
  const out: Compiled = {
    isStackDirectory: (path) => included(path) && !excluded(path),
    isNamed: (path) => named.has(path) && !excluded(path),
    literal: new Map(),
    byBase: new Map(),
    known: new Map(),
    merged: new Map(),
  }
  for (const [order, entry] of config.stacks.entries()) {
    const candidate = { order, entry, matches: compileGlob(entry.match) }
    push(isLiteral(entry.match) ? out.literal : out.byBase, globPlace(entry.match), candidate)
  }
  return out
}

const compiledOf = (config: RepoConfig): Compiled => {
  const known = compiled.get(config)
  if (known !== undefined) return known
  const made = compile(config)
  compiled.set(config, made)
  return made
}

/** Whether a root module in this directory is a stack. */
export const isStackDirectory = (config: RepoConfig, path: string): boolean => compiledOf(config).isStackDirectory(path)

/** Whether the configuration names this directory in full, which makes it a stack whatever is in it. */
export const isNamedDirectory = (config: RepoConfig, path: string): boolean => compiledOf(config).isNamed(path)

function* candidatesFor({ literal, byBase }: Compiled, path: string): Steps<Candidate[]> {
  const found = [...(literal.get(path) ?? [])]
  const isLong = createPairMeter()
  for (let base = path; byBase.size > 0; base = base.slice(0, Math.max(0, base.lastIndexOf('/')))) {
    for (const candidate of byBase.get(base) ?? []) {
      if (candidate.matches(path)) found.push(candidate)
      if (isLong(candidate.entry.match.length, path.length)) yield
    }
    if (base === '') break
  }
  return found.sort((a, b) => a.order - b.order)
}

/** The entries that apply to a directory, in the file's order. */
export const entriesOf = (config: RepoConfig, path: string): readonly StackEntry[] =>
  finish(candidatesFor(compiledOf(config), path)).map(({ entry }) => entry)

/** The instances that are named, and the files that make more of them. */
const instancesOf = ({
  instances,
}: Pick<StackEntry, 'instances'>): Pick<StackConfig, 'instances' | 'instances_from'> => {
  const { from, ...others } = instances ?? {}
  const named = (typeof from === 'object' ? { from, ...others } : others) as Record<string, InstanceEntry>
  return typeof from === 'string' ? { instances: named, instances_from: from } : { instances: named }
}

const merge = (config: RepoConfig, entries: readonly StackEntry[]): StackConfig => {
  const { match: _, ...merged } = Object.assign({ match: '' }, ...entries) as StackEntry
  const toolVersion = merged.tool_version ?? config.tool_version
  return {
    ...merged,
    ...(toolVersion === undefined ? {} : { tool_version: toolVersion }),
    ...(config.runs_on === undefined ? {} : { runs_on: merged.runs_on ?? config.runs_on }),
    lock_timeout: merged.lock_timeout ?? config.lock_timeout,
    environment: merged.environment ?? 'default',
    plan_output: merged.plan_output ?? config.plan.output,
    tool: merged.tool ?? config.tool,
    tags: [...new Set(entries.flatMap(({ tags = [] }) => tags))].sort(),
    depends_on: merged.depends_on ?? [],
    watch_paths: merged.watch_paths ?? [],
    var_files: merged.var_files ?? [],
    backend_config: merged.backend_config ?? [],
    ...instancesOf(merged),
  }
}

const mergedOf = ({ merged }: Compiled, config: RepoConfig, candidates: readonly Candidate[]): StackConfig => {
  const name = candidates.map(({ order }) => order).join()
  const before = merged.get(name)
  if (before !== undefined) return before
  const entries = candidates.map(({ entry }) => entry)
  const made = merge(config, entries)
  merged.set(name, made)
  return made
}

/** The directory's settings: every matching entry applies, later ones win, key by key; the tags of all of them count. */
export const stackConfig = (config: RepoConfig, path: string): Readonly<StackConfig> =>
  compiledOf(config).known.get(path) ?? finish(stackConfigInSteps(config, path))

/** The same for who has others waiting; it is remembered for those who ask at once. */
export function* stackConfigInSteps(config: RepoConfig, path: string): Steps<Readonly<StackConfig>> {
  const of = compiledOf(config)
  const before = of.known.get(path)
  if (before !== undefined) return before
  const made = mergedOf(of, config, yield* candidatesFor(of, path))
  of.known.set(path, made)
  return made
}

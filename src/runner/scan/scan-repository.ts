import { configFileName, type RepoConfig } from '#domain/config/config-file.ts'
import type { Graph } from '#domain/graph/graph.ts'
import { assembleGraph, type Parts } from './assemble-graph.ts'
import { directoriesOf } from './facts/directories.ts'
import { type FileFacts, readFacts } from './facts/file-facts.ts'
import { mayNameInstance } from './instances.ts'
import type { Listing } from './listing.ts'
import { type Facts, noCache, openCache, type ScanCache } from './scan-cache.ts'
import { canonicalJson, type Fingerprint, fingerprint, hashOf } from './tree/fingerprint.ts'
import { type SourceFile, sourceFile } from './tree/source-file.ts'
import { openTree, type Tree } from './tree/tree.ts'
import { warnOfLinks } from './tree/warn-of-links.ts'
import { type ScanWarning, warningList } from './warning.ts'

export type ScanOptions = {
  /** The top directory of the checkout. */
  dir: string
  /** `owner/name` and commit, as the graph states them. */
  repo: string
  sha: string
  config: RepoConfig
  /** What a command of the repository lists besides. */
  listing?: Listing
  /** Host of the code host; modules from it are keyed `owner/repo//path`. `github.com` when left out. */
  codehost?: string
  /** Where answers and facts of earlier scans are kept; if left out, nothing is. */
  cacheDir?: string
}

export type Scan = {
  graph: Graph
  warnings: ScanWarning[]
  /** Whether the answer is from an earlier scan of the same tree. */
  cached: boolean
}

/**
 * An answer as it is kept. `key` covers the files that every scan reads, `others` the files this one read besides; tree_hash
 * covers both. `stamp` is the tree's, as git had it.
 */
type Answer = Parts & { warnings: ScanWarning[]; key: string; others: Fingerprint; stamp?: string; tree_hash: string }

/**
 * Raised when the same tree gives another graph than before. It is part of tree_hash, too: the service takes an equal hash for an
 * equal graph, and would go on with the graph that an older client made.
 */
const FORMAT = 'svc scan 7'

const DEFAULT_HOST = 'github.com'

const VERSIONS: ReadonlySet<string> = new Set([
  '.terraform-version',
  '.opentofu-version',
  '.terragrunt-version',
  '.tool-versions',
])

/** Files whose names say that a scan may read them, whatever else the configuration names. */
const isRead = (path: string): boolean =>
  path === configFileName ||
  VERSIONS.has(path.slice(path.lastIndexOf('/') + 1)) ||
  /\.tfvars(?:\.json)?$|(?:^|\/)terragrunt(?:\.stack|\.values)?\.hcl$/.test(path)

const factsOf = (tree: Tree, files: readonly SourceFile[], cache: ScanCache<Answer>): Map<SourceFile, FileFacts> => {
  const before = cache.facts()
  const after: Facts = {}
  const facts = new Map<SourceFile, FileFacts>()
  let parsed = 0
  for (const file of files) {
    const key = `${file.syntax} ${tree.id(file.path)}`
    const known = after[key] ?? before[key]
    const text = known === undefined ? tree.text(file.path) : ''
    if (text === undefined) continue
    if (known === undefined) parsed += 1
    after[key] = known ?? readFacts(text, file.syntax)
    facts.set(file, after[key])
  }
  if (parsed > 0 || Object.keys(before).length > Object.keys(after).length) cache.keepFacts(after)
  return facts
}

/** The tree as the scan sees it. It notes the files that are asked for beyond those that are always read. */
const watched = (tree: Tree, known: Fingerprint): { tree: Tree; others: Fingerprint } => {
  const others: Fingerprint = {}
  const note = (path: string): void => {
    if (!isRead(path) && !Object.hasOwn(known, path)) others[path] = tree.id(path) ?? null
  }
  const text = (path: string): string | undefined => {
    note(path)
    return tree.text(path)
  }
  const has = (path: string): boolean => {
    note(path)
    return tree.has(path)
  }
  return { tree: { ...tree, text, has }, others }
}

/** Where links lead, and what is another repository's: a graph depends on it, and no file's contents say it. */
const linkTexts = ({ links, submodules }: Tree): string[] => [
  ...[...links.all].map(([path, target]) => `${path} -> ${target}`).sort(),
  ...[...submodules].sort(),
]

const isSame = (tree: Tree, others: Fingerprint): boolean =>
  Object.entries(others).every(([path, id]) => (tree.id(path) ?? null) === id)

/** Reads the tree, unless the earlier answer turns out to be of the same tree after all. */
const scanTree = (
  tree: Tree,
  options: ScanOptions,
  said: readonly string[],
  before: Answer | undefined,
  cache: ScanCache<Answer>,
): Answer => {
  const { repo, config, codehost = DEFAULT_HOST, listing } = options
  const paths = [...tree.paths()].sort()
  const sources = paths.flatMap((path) => sourceFile(path) ?? [])
  const mayName = mayNameInstance(config)
  const files = fingerprint(tree, [
    ...sources.map((file) => file.path),
    ...paths.filter((path) => isRead(path) || mayName(path)),
  ])
  const told = [...said, ...linkTexts(tree)]
  const key = hashOf(files, told)
  if (before?.key === key && isSame(tree, before.others)) return before
  const { warn, all } = warningList()
  const { tree: seen, others } = watched(tree, files)
  const facts = factsOf(tree, sources, cache)
  for (const [{ path }, { errors = [] }] of facts)
    for (const { line, column, message } of errors)
      warn({ code: 'syntax', message: `${path}:${line}:${column}: ${message}`, file: path, line, column })
  warnOfLinks(tree, warn)
  const parts = assembleGraph({
    repo,
    codehost,
    config,
    listing,
    directories: directoriesOf(facts, tree.links.real),
    tree: seen,
    paths,
    warn,
  })
  return { ...parts, warnings: all(), key, others, tree_hash: hashOf({ ...files, ...others }, told) }
}

/**
 * Reads a checkout into the graph of its stacks, modules and edges. What could not be determined is in `warnings`; nothing is
 * guessed. With `cacheDir`, a tree that was scanned before is answered without reading a file.
 */
export const scanRepository = async (options: ScanOptions): Promise<Scan> => {
  const { dir, repo, sha, config, codehost = DEFAULT_HOST, cacheDir } = options
  const cache: ScanCache<Answer> = cacheDir === undefined ? noCache : openCache<Answer>(cacheDir, repo, FORMAT)
  const said = [FORMAT, repo, codehost, canonicalJson(config), canonicalJson(options.listing ?? null)]
  const opening = openTree(dir)
  const before = cache.answer() // while git is at work
  const { stamp: index, tree } = await opening
  const stamp = index === undefined ? undefined : hashOf({}, [...said, index])

  const isSameIndex = stamp !== undefined && before?.stamp === stamp
  const answer = isSameIndex ? before : scanTree(await tree(), options, said, before, cache)
  if (!isSameIndex && (answer !== before || stamp !== undefined)) {
    const { stamp: _, ...rest } = answer
    cache.keepAnswer(stamp === undefined ? rest : { ...rest, stamp })
  }
  const { tree_hash, stacks, modules, edges, warnings } = answer
  return { graph: { repo, sha, tree_hash, stacks, modules, edges }, warnings, cached: answer === before }
}

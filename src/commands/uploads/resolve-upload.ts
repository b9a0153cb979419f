import type { RepoConfig } from '#domain/config/config-file.ts'
import { type Graph, storedGraph } from '#domain/graph/graph.ts'
import { stackListing } from '#domain/graph/stack-listing.ts'
import { parseJsonText } from '#domain/json-text.ts'
import { compactGraph } from '#domain/resolution/compact-graph.ts'
import { configuredGraph } from '#domain/resolution/configured-graph.ts'
import { DependsOnFault } from '#domain/resolution/depends-on.ts'
import { parseGraphUpload } from '#domain/resolution/graph-upload.ts'
import { type Resolution, resolve } from '#domain/resolution/resolve.ts'
import type { WaitingFor } from './waiting-line.ts'

/** What the service knows of a run and its repository when a graph comes in; plain data, since it may go to a thread. */
export type UploadFacts = {
  /** Names of the repository: the one known here, and after a rename the one in the job's token. */
  repos: string[]
  sha: string
  defaultConfig: RepoConfig
  /** JSON text of the default branch's graph, or of the newest graph before the first merge. */
  defaultGraph: string | undefined
  /** The paths that the code host says the pull request touches; undefined if it lists only some. */
  hostPaths: string[] | undefined
  /** Directories that the commit does not have, among an earlier answer's `addedStacks`. */
  gonePaths: string[]
}

export type ResolvedUpload =
  | { ok: false; field: string; reason: string }
  | {
      ok: true
      /**
       * UTF-8 JSON texts: `body` of the graph, `listing` of its ListedStacks, `compact` of its CompactGraph. They go from here to the
       * database as they are.
       */
      graph: { tree_hash: string; body: Utf8; keys: string[]; listing: Utf8; compact: Utf8 }
      baseSha: string | undefined
      resolution: Resolution
    }

/** A text as its bytes, which may be moved to another thread. */
export type Utf8 = Uint8Array<ArrayBuffer>

/** A graph upload as it came. */
export type Upload = {
  /** JSON text. */
  bytes: Uint8Array
  owner: WaitingFor
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal
}

/** Parses a graph upload, checks it and resolves it. Pure, in whichever thread it runs, but for waiting for its turn. */
export type ResolveUpload = (
  upload: Upload,
  facts: Omit<UploadFacts, 'defaultGraph'>,
  /** May be asked for again. */
  defaultGraph: () => Promise<string | undefined>,
) => Promise<ResolvedUpload>

/** See ResolveUpload; this is the work itself. */
export const resolveUpload = (bytes: Uint8Array, facts: UploadFacts): ResolvedUpload => {
  try {
    return resolveBody(bytes, facts)
  } catch (error) {
    if (error instanceof DependsOnFault) return { ok: false, field: 'config.stacks', reason: error.message }
    throw error
  }
}

/** A job may leave changed paths out: the code host's list is added to the job's. */
const resolveBody = (bytes: Uint8Array, facts: UploadFacts): ResolvedUpload => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const body = parseJsonText(text)
  if (!body.ok) return { ok: false, field: 'body', reason: body.reason }
  const checked = parseGraphUpload(body.value)
  if (!checked.ok) return checked
  const { graph, changedPaths, baseSha, config, stacks } = checked.upload
  if (!facts.repos.some((repo) => repo.toLowerCase() === graph.repo.toLowerCase())) {
    return { ok: false, field: 'graph.repo', reason: `'${graph.repo}' is not the run's repository ${facts.repos[0]}` }
  }
  if (graph.sha !== facts.sha) {
    return { ok: false, field: 'graph.sha', reason: `'${graph.sha}' is not the run's commit ${facts.sha}` }
  }
  const stored = storedText(graph)
  if (stored === undefined) return { ok: false, field: 'graph.stacks', reason: 'a config is nested too deeply' }
  const defaultGraph = facts.defaultGraph === undefined ? undefined : storedGraph(facts.defaultGraph)
  const resolution = resolve({
    graph,
    changedPaths: [...new Set([...changedPaths, ...(facts.hostPaths ?? [])])],
    config: config ?? facts.defaultConfig,
    defaultBranch: { config: facts.defaultConfig, graph: defaultGraph },
    restrict: stacks,
    gonePaths: facts.gonePaths,
  })
  if (resolution.unknown.length > 0) {
    return { ok: false, field: 'stacks', reason: `the graph has no stack ${resolution.unknown.join(', ')}` }
  }
  const { index } = configuredGraph(graph, config ?? facts.defaultConfig)
  const listing = stackListing(index)
  const texts = { body: stored, listing: jsonBytes(listing), compact: jsonBytes(compactGraph(index)) }
  const keys = listing.map(({ key }) => key)
  return { ok: true, graph: { tree_hash: graph.tree_hash, keys, ...texts }, baseSha, resolution }
}

export const jsonBytes = (value: object): Utf8 => new TextEncoder().encode(JSON.stringify(value))

/**
 * Undefined if it cannot be written as JSON: a stack's config may be anything, and JSON.stringify follows some 5,000 levels.
 */
const storedText = (graph: Graph): Utf8 | undefined => {
  try {
    return jsonBytes(graph)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

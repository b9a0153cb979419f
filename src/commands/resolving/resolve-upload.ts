import type { RepoConfig } from '#domain/config/config-file.ts'
import { type Graph, storedGraph } from '#domain/graph/graph.ts'
import { graphOutline } from '#domain/graph/graph-outline.ts'
import { stackListing } from '#domain/graph/stack-listing.ts'
import { parseJsonText } from '#domain/json-text.ts'
import { compactGraph } from '#domain/resolution/compact-graph.ts'
import { configuredGraph } from '#domain/resolution/configured-graph.ts'
import { DependsOnFault } from '#domain/resolution/depends-on.ts'
import { parseGraphUpload } from '#domain/resolution/graph-upload.ts'
import { differingKeys, type Resolution, type ResolveInput, resolve } from '#domain/resolution/resolve.ts'
import { jsonBytes } from '#portions.ts'
import type { WaitingFor } from './waiting-line.ts'

/** What the service knows of a run and its repository when a graph comes in; plain data, since it may go to a thread. */
export type UploadFacts = {
  /** Names of the repository: the one known here, and after a rename the one in the job's token. */
  repos: string[]
  sha: string
  defaultConfig: RepoConfig
  /** Of the default branch, or the newest graph before the first merge. */
  defaultGraph: DefaultGraph | undefined
  /** The paths that the code host says the pull request touches; undefined if it lists only some. */
  hostPaths: string[] | undefined
  /** Once they were looked for: paths that the commit does not have, among the homes of an earlier answer's `addedStacks`. */
  gonePaths: string[] | undefined
}

/** JSON text of a graph, or of its outline. */
export type DefaultGraph = { text: string; isOutline: boolean }

export type ResolvedUpload =
  | { ok: false; field: string; reason: string }
  | {
      ok: true
      graph: ResolvedGraph
      baseSha: string | undefined
      resolution: Resolution
    }

/**
 * UTF-8 JSON texts: `body` of the graph, `outline` of its outline, `listing` of its ListedStacks, `compact` of its CompactGraph. They go
 * from here to the database as they are.
 */
type ResolvedGraph = {
  tree_hash: string
  keys: string[]
  body: Utf8
  outline: Utf8
  listing: Utf8
  compact: Utf8
}

/** What the work may answer as well: svc.yml differs from the default branch's, and only the outline of its graph was given. */
export const lacksGraph = 'lacks the graph'

export type UploadAnswer = ResolvedUpload | typeof lacksGraph

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
  /** May be asked again. */
  readDefaultGraph: (what: 'outline' | 'graph') => Promise<DefaultGraph | undefined>,
) => Promise<ResolvedUpload>

/** See ResolveUpload; this is the work itself. */
export const resolveUpload = (bytes: Uint8Array, facts: UploadFacts): UploadAnswer => {
  try {
    return resolveBody(bytes, facts)
  } catch (error) {
    if (error instanceof DependsOnFault) return { ok: false, field: 'config.stacks', reason: error.message }
    throw error
  }
}

/** A job may leave changed paths out: the code host's list is added to the job's. */
const resolveBody = (bytes: Uint8Array, facts: UploadFacts): UploadAnswer => {
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
  const input: ResolveInput = {
    graph,
    changedPaths: [...new Set([...changedPaths, ...(facts.hostPaths ?? [])])],
    config: config ?? facts.defaultConfig,
    defaultBranch: {
      config: facts.defaultConfig,
      graph: facts.defaultGraph === undefined ? undefined : storedGraph(facts.defaultGraph.text),
    },
    restrict: stacks,
    gonePaths: facts.gonePaths,
  }
  if (facts.defaultGraph?.isOutline === true && differingKeys(input).length > 0) return lacksGraph
  const stored = storedText(graph)
  if (stored === undefined) return { ok: false, field: 'graph.stacks', reason: 'a config is nested too deeply' }
  const resolution = resolve(input)
  if (resolution.unknown.length > 0) {
    return { ok: false, field: 'stacks', reason: `the graph has no stack ${resolution.unknown.join(', ')}` }
  }
  const resolved = { tree_hash: graph.tree_hash, body: stored, ...textsOf(graph, input.config) }
  return { ok: true, graph: resolved, baseSha, resolution }
}

const textsOf = (graph: Graph, config: RepoConfig): Omit<ResolvedGraph, 'tree_hash' | 'body'> => {
  const { index } = configuredGraph(graph, config)
  const listing = stackListing(index)
  return {
    keys: listing.map(({ key }) => key),
    outline: jsonBytes(graphOutline(graph)),
    listing: jsonBytes(listing),
    compact: jsonBytes(compactGraph(index)),
  }
}

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

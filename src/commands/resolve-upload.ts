import type { RepoConfig } from '#domain/config-file.ts'
import type { Graph } from '#domain/graph.ts'
import { parseGraphUpload } from '#domain/graph-upload.ts'
import { uploadedView } from '#domain/graph-view.ts'
import { parseJsonText } from '#domain/json-text.ts'
import { type Resolution, resolve } from '#domain/resolve.ts'
import { stackListing } from '#domain/stack-listing.ts'

/** What the service knows of a run and its repository when a graph comes in; plain data, since it may go to a thread. */
export type UploadFacts = {
  /** Names that the repository goes by: the one known here, and after a rename the one in the job's token. */
  repos: string[]
  sha: string
  defaultConfig: RepoConfig
  /** JSON text of the default branch's graph, or before the first merge of the newest. */
  defaultGraph: string | undefined
  /** The paths that the code host says the pull request touches; undefined where it lists only some. */
  hostPaths: string[] | undefined
  /** Directories that the commit does not have, out of an earlier answer's `addedStacks`. */
  goneDirectories: string[]
}

export type ResolvedUpload =
  | { ok: false; field: string; reason: string }
  | {
      ok: true
      /** `listing` is the JSON text of the graph's ListedStacks: a text comes out of a thread at once, 6,000 objects do not. */
      graph: { treeHash: string; body: string; keys: string[]; listing: string }
      baseSha: string | undefined
      resolution: Resolution
    }

/** Parses the text of a graph upload, checks it and resolves it. Pure, whichever thread it runs in. */
export type ResolveUpload = (text: string, facts: UploadFacts) => Promise<ResolvedUpload>

/** See ResolveUpload; this is the work itself. A job may leave changed paths out: the code host's list is added to its own. */
export const resolveUpload = (text: string, facts: UploadFacts): ResolvedUpload => {
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
  const defaultGraph = facts.defaultGraph === undefined ? undefined : (JSON.parse(facts.defaultGraph) as Graph)
  const resolution = resolve({
    graph,
    changedPaths: [...new Set([...changedPaths, ...(facts.hostPaths ?? [])])],
    config: config ?? facts.defaultConfig,
    defaultBranch: { config: facts.defaultConfig, graph: defaultGraph },
    restrict: stacks,
    goneDirectories: facts.goneDirectories,
  })
  if (resolution.unknown.length > 0) {
    return { ok: false, field: 'stacks', reason: `the graph has no stack ${resolution.unknown.join(', ')}` }
  }
  const listing = stackListing(uploadedView(graph, config ?? facts.defaultConfig).index)
  const texts = { body: stored, listing: JSON.stringify(listing) }
  const keys = listing.map(({ key }) => key)
  return { ok: true, graph: { treeHash: graph.tree_hash, keys, ...texts }, baseSha, resolution }
}

/** Undefined where it cannot be spelled: a stack's config is anything, and JSON.stringify follows some 5,000 levels. */
const storedText = (graph: Graph): string | undefined => {
  try {
    return JSON.stringify(graph)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

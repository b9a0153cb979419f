import type { RepoConfig } from '#domain/config-file.ts'
import type { Graph } from '#domain/graph.ts'
import { parseGraphUpload } from '#domain/graph-upload.ts'
import { type Resolution, resolve } from '#domain/resolve.ts'

/** What the service knows of a run and its repository when a graph comes in; plain data, since it may go to a thread. */
export type UploadFacts = {
  repo: string
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
      graph: { treeHash: string; body: string; keys: string[] }
      baseSha: string | undefined
      resolution: Resolution
    }

/** Parses the text of a graph upload, checks it and resolves it. Pure, whichever thread it runs in. */
export type ResolveUpload = (text: string, facts: UploadFacts) => Promise<ResolvedUpload>

/** See ResolveUpload; this is the work itself. A job may leave changed paths out: the code host's list is added to its own. */
export const resolveUpload = (text: string, facts: UploadFacts): ResolvedUpload => {
  const body = parsed(text)
  if (!body.ok) return body
  const checked = parseGraphUpload(body.value)
  if (!checked.ok) return checked
  const { graph, changedPaths, baseSha, config, stacks } = checked.upload
  if (graph.repo.toLowerCase() !== facts.repo.toLowerCase()) {
    return { ok: false, field: 'graph.repo', reason: `'${graph.repo}' is not the run's repository ${facts.repo}` }
  }
  if (graph.sha !== facts.sha) {
    return { ok: false, field: 'graph.sha', reason: `'${graph.sha}' is not the run's commit ${facts.sha}` }
  }
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
  const keys = graph.stacks.filter((stack) => !stack.external).map((stack) => stack.key)
  return { ok: true, graph: { treeHash: graph.tree_hash, body: JSON.stringify(graph), keys }, baseSha, resolution }
}

const parsed = (text: string): { ok: true; value: unknown } | { ok: false; field: string; reason: string } => {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    return { ok: false, field: 'body', reason: `must be one JSON value: ${(error as Error).message}` }
  }
}

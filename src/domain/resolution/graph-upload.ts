import { z } from 'zod'
import { checkRepoConfig, type RepoConfig } from '#domain/config/config-file.ts'
import { keyPath } from '#domain/config/config-problems.ts'
import { declaresStack, stackSettings } from '#domain/config/stack-variants.ts'
import { wording } from '#domain/config/wording.ts'
import { graphShape, leaveOutEmpty } from '#domain/graph/empty-fields.ts'
import { type Edge, Graph, type StackNode } from '#domain/graph/graph.ts'
import { formatStackKey, isInstanceName, namedByKey, parseQualifiedKey, repositoryPath } from '../keys.ts'
import { limits } from '../limits.ts'
import { list } from '../list.ts'

/** A checked upload (docs/interface.md, 'POST /v1/runs/{id}/graph'), in the domain's spelling. */
export type GraphUpload = {
  graph: Graph
  changedPaths: string[]
  baseSha: string | undefined
  /** Undefined if none was sent, as by an old client; the default branch's configuration replaces it. */
  config: RepoConfig | undefined
  /** Undefined: no restriction. */
  stacks: string[] | undefined
}

export type ParsedGraphUpload = { ok: true; upload: GraphUpload } | { ok: false; field: string; reason: string }

const absent = <T extends z.ZodType>(schema: T) => z.preprocess((value) => value ?? undefined, schema.optional())

const Body = z.object({
  graph: z.preprocess((value) => leaveOutEmpty(value, graphShape), Graph),
  changed_paths: absent(list(z.string())),
  base_sha: absent(z.string().regex(/^([0-9a-f]{40}([0-9a-f]{24})?)?$/, 'must be a full commit id')),
  config: absent(z.record(z.string(), z.unknown())),
  stacks: absent(list(z.string(), limits.stacksNamed)),
})

/** Records what is wrong; only the first problem is reported. */
type Refuse = (field: string, reason: string) => void

const externalNode = (node: StackNode, field: string, refuse: Refuse): StackNode => {
  const repo = parseQualifiedKey(node.key)?.repo
  if (repo === undefined) refuse(`${field}.key`, `'${node.key}' is external: expected owner/repo//key`)
  else if (node.repo !== undefined && node.repo.toLowerCase() !== repo.toLowerCase())
    refuse(`${field}.repo`, `'${node.repo}' is not the repository in the key '${node.key}'`)
  return { ...node, ...(repo === undefined ? {} : { repo }) }
}

/**
 * The configuration itself selects the node's workspace for the whole directory, so this is neither an instance nor an old
 * client's node.
 */
const selectsWorkspace = (config: RepoConfig | undefined, path: string, { key, workspace }: StackNode): boolean => {
  if (config === undefined) return false
  const named = namedByKey({ key, path })
  const { workspace: selected } = stackSettings(config, named)
  return formatStackKey(path, named.instance) === key && declaresStack(config, named) && selected === workspace
}

/**
 * The node with its path in normal form and its instance set. A client older than instances sends only a workspace, which is
 * then the instance. The key must agree with path and instance: locks and policy go by the key, changes by the path.
 */
const ownNode = (node: StackNode, field: string, config: RepoConfig | undefined, refuse: Refuse): StackNode => {
  const path = node.path === '' ? '.' : repositoryPath(node.path)
  if (path === undefined) {
    refuse(`${field}.path`, `'${node.path}' is not a path relative to the repository's root`)
    return node
  }
  if (node.instance !== undefined && !isInstanceName(node.instance))
    refuse(`${field}.instance`, `'${node.instance}' is not an instance name`)
  const { workspace } = node
  const isInherited = workspace !== undefined && isInstanceName(workspace) && !selectsWorkspace(config, path, node)
  const instance = node.instance ?? (isInherited ? workspace : undefined)
  const key = formatStackKey(path, instance)
  if (node.key !== key && !(node.instance === undefined && node.key === path))
    refuse(`${field}.key`, `'${node.key}' is not the key of its path and instance: expected '${key}'`)
  return { ...node, path, ...(instance === undefined ? {} : { instance }) }
}

const checkKeys = (nodes: readonly { key: string }[], list: string, refuse: Refuse): Set<string> => {
  const seen = new Set<string>()
  for (const [i, { key }] of nodes.entries()) {
    if (key.length > limits.keyChars || /\p{Cc}/u.test(key))
      refuse(`${list}[${i}].key`, `expected up to ${limits.keyChars} characters without control characters`)
    // no character takes more than three bytes per code unit
    if (key.length * 3 > limits.keyBytes && new TextEncoder().encode(key).length > limits.keyBytes)
      refuse(`${list}[${i}].key`, `expected up to ${limits.keyBytes} bytes`)
    if (seen.has(key)) refuse(`${list}[${i}].key`, `'${key}' is in the graph twice`)
    seen.add(key)
  }
  return seen
}

const checkEdges = (edges: readonly Edge[], known: Record<'stack' | 'module', Set<string>>, refuse: Refuse): void => {
  for (const [i, { from, to, type }] of edges.entries()) {
    const wanted = type === 'uses_module' ? 'module' : 'stack'
    const field = `graph.edges[${i}]`
    if (!known[from.kind].has(from.key)) refuse(`${field}.from`, `the graph has no ${from.kind} '${from.key}'`)
    if (to.kind !== wanted) refuse(`${field}.to`, `${type} leads to a ${wanted}, not to a ${to.kind}`)
    else if (!known[wanted].has(to.key)) refuse(`${field}.to`, `the graph has no ${wanted} '${to.key}'`)
  }
}

const checkGraph = (graph: Graph, config: RepoConfig | undefined, refuse: Refuse): Graph => {
  const known = {
    stack: checkKeys(graph.stacks, 'graph.stacks', refuse),
    module: checkKeys(graph.modules, 'graph.modules', refuse),
  }
  checkEdges(graph.edges, known, refuse)
  const stacks = graph.stacks.map((node, i) => {
    const field = `graph.stacks[${i}]`
    return node.external === true ? externalNode(node, field, refuse) : ownNode(node, field, config, refuse)
  })
  return { ...graph, stacks }
}

const checkPaths = (paths: readonly string[], refuse: Refuse): string[] => {
  const out = new Set<string>()
  for (const [i, path] of paths.entries()) {
    if (path.length > limits.pathChars) refuse(`changed_paths[${i}]`, `expected up to ${limits.pathChars} characters`)
    const normal = repositoryPath(path)
    if (normal === undefined) refuse(`changed_paths[${i}]`, `'${path}' is not a path relative to the repository's root`)
    else out.add(normal)
  }
  return [...out]
}

const checkConfig = (value: unknown, refuse: Refuse): RepoConfig | undefined => {
  if (value === undefined) return undefined
  const checked = checkRepoConfig(value)
  if (checked.ok) return checked.config
  for (const { key, message } of checked.problems) refuse(key === '' ? 'config' : `config.${key}`, message)
  return undefined
}

/**
 * Checks the body of a graph upload and puts it in normal form. Reports the first problem by its field, as in
 * `graph.edges[3].to`. Unknown fields are ignored, except inside a stack's `config`, which is kept as it is.
 */
export const parseGraphUpload = (body: unknown): ParsedGraphUpload => {
  const parsed = Body.safeParse(body, { error: wording })
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return { ok: false, field: keyPath(issue?.path ?? []) || 'body', reason: issue?.message ?? 'is invalid' }
  }
  let first: { field: string; reason: string } | undefined
  const refuse: Refuse = (field, reason) => {
    first ??= { field, reason }
  }
  const { graph, changed_paths, base_sha, stacks } = parsed.data
  const config = checkConfig(parsed.data.config, refuse)
  const upload: GraphUpload = {
    graph: checkGraph(graph, config, refuse),
    changedPaths: checkPaths(changed_paths ?? [], refuse),
    baseSha: base_sha === '' ? undefined : base_sha,
    config,
    stacks: stacks?.length === 0 ? undefined : stacks,
  }
  return first === undefined ? { ok: true, upload } : { ok: false, ...first }
}

import { z } from 'zod'
import { limits } from '../limits.ts'
import { list } from '../list.ts'

/*
 * The graph of a repository at one commit: stacks, modules and the edges between them (docs/interface.md, 'Graph'). The client
 * makes it, the service resolves it; both read this one schema. Edges point from the dependent to what it depends on.
 */

export const Tool = z.enum(['terraform', 'tofu', 'terragrunt'])
export const PlanOutput = z.enum(['full', 'summary'])

export const Backend = z.object({
  type: z.string(),
  bucket: z.string().optional(),
  key: z.string().optional(),
  region: z.string().optional(),
  use_lockfile: z.boolean().optional(),
})

export const StackNode = z.object({
  key: z.string().min(1),
  path: z.string(),
  backend: Backend.optional(),
  environment: z.string().optional(),
  tool: Tool.optional(),
  tool_version: z.string().optional(),
  plan_output: PlanOutput.optional(),
  config: z.looseObject({ depends_on: list(z.string()).optional() }).optional(),
  instance: z.string().optional(),
  workspace: z.string().optional(),
  watch_paths: list(z.string()).optional(),
  tags: list(z.string().max(limits.tagChars), limits.tags).optional(),
  external: z.boolean().optional(),
  repo: z.string().optional(),
})

export const ModuleNode = z.object({
  key: z.string().min(1),
  kind: z.enum(['local', 'git', 'registry']),
  path: z.string().optional(),
  source: z.string().optional(),
})

const NodeRef = z.object({ kind: z.enum(['stack', 'module']), key: z.string() })

export const Edge = z.object({
  from: NodeRef,
  to: NodeRef,
  type: z.enum(['uses_module', 'depends_on', 'reads_state']),
  inferred: z.boolean().optional(),
  meta: z
    .object({
      ref: z.string().optional(),
      source: z.string().optional(),
      bucket: z.string().optional(),
      key: z.string().optional(),
    })
    .optional(),
})

export const Graph = z.object({
  repo: z.string(),
  sha: z.string(),
  tree_hash: z.string().max(limits.treeHashChars),
  stacks: list(StackNode),
  modules: list(ModuleNode).default([]),
  edges: list(Edge).default([]),
})

export type Backend = z.infer<typeof Backend>
export type StackNode = z.infer<typeof StackNode>
export type ModuleNode = z.infer<typeof ModuleNode>
export type Edge = z.infer<typeof Edge>
export type Graph = z.infer<typeof Graph>

/** Reads a graph from its stored text. It was checked when it came in: checking 8 MB again would take 100 ms each time. */
export const storedGraph = (text: string): Graph => JSON.parse(text)

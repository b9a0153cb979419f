import { z } from 'zod'
import { AffectedStack } from '#api/runs/resolve.ts'
import { Edge, ModuleNode, StackNode } from '#domain/graph/graph.ts'
import { Uuid } from '../scalars.ts'

const StoredGraph = z.object({
  repo: z.string(),
  sha: z.string(),
  tree_hash: z.string(),
  stacks: z.array(StackNode),
  modules: z.array(ModuleNode),
  edges: z.array(Edge),
})

/** A recorded graph. */
export const GraphView = z
  .object({
    repo: z.string().describe('owner/name'),
    sha: z.string().describe('The commit that the graph is of'),
    graph: StoredGraph,
    stack_ids: z.record(z.string(), Uuid).describe('Ids of the stacks by their keys'),
    affected: z.array(AffectedStack).optional().describe('With run: the stacks of the run'),
    waves: z.array(z.array(z.string())).optional().describe('With run: their keys by wave'),
  })
  .meta({ id: 'GraphView', description: 'The stacks and modules of a commit, and their dependencies' })

export type GraphView = z.infer<typeof GraphView>

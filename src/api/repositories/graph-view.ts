import { z } from 'zod'
import { AffectedStack } from '#api/runs/resolve.ts'
import { Edge, ModuleNode, StackNode } from '#domain/graph/graph.ts'
import { edgeKinds } from '#domain/resolution/compact-graph.ts'
import { Count, Uuid } from '../scalars.ts'

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

const Place = Count.describe('A place in `keys`')

/** A recorded graph with each key once. */
export const CompactGraphView = z
  .object({
    repo: z.string().describe('owner/name'),
    sha: z.string().describe('The commit that the graph is of'),
    graph: z.object({
      keys: z.array(z.string()).describe('Keys of the stacks, then of the modules'),
      stacks: Count.describe('How many of the keys are of stacks'),
      external: z.array(Place).describe('Those that are stacks of other repositories'),
      kinds: z.array(z.enum(edgeKinds)).describe('What an edge may be'),
      edges: z
        .array(z.array(Count).length(3))
        .describe(
          'From and to, places in `keys`, and kind, a place in `kinds`: as edges of the graph, with those that the configuration adds',
        ),
      tags: z.record(z.string(), z.array(Place)).optional().describe('The stacks that have a tag, by tag'),
      waves: z
        .array(z.array(Place))
        .describe("The repository's own stacks in the order of a run of all of them; those of a cycle share a wave"),
    }),
  })
  .meta({ id: 'CompactGraphView', description: 'The same in a tenth of the bytes, for drawing it' })

export type CompactGraphView = z.infer<typeof CompactGraphView>

export type GraphView = z.infer<typeof GraphView>

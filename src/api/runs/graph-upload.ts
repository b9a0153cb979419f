import { z } from 'zod'
import { Graph } from '#domain/graph/graph.ts'
import { limits } from '#domain/limits.ts'
import { list } from '#domain/list.ts'
import { optional } from '../optional.ts'
import { Sha, StackKey } from '../scalars.ts'

/** The graph of a pull request's head and its changes. */
export const GraphUploadRequest = z
  .object({
    graph: Graph,
    changed_paths: optional(list(z.string())).describe('Repository-relative'),
    base_sha: optional(Sha),
    config: optional(z.looseObject({})).describe(
      "The configuration file of the head, after defaults and validation; if absent, the default branch's is used",
    ),
    stacks: optional(list(StackKey, limits.stacksNamed)).describe('Restricts the run to these stacks'),
  })
  .meta({ id: 'GraphUploadRequest', description: 'Graph, changed paths and configuration of the commit of a run' })

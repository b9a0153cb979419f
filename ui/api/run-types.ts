import type { GraphView } from '#api/repositories/graph-view.ts'
import type { Run } from '#api/runs/run.ts'
import type { RunStack } from '#api/runs/run-stack.ts'

export type { Run }

/** A stack's row in a run. */
export type RunRow = RunStack

/** What somebody has to look at in a run. */
export type Attention = NonNullable<Run['attention']>[number]

/** Stacks, modules and edges of a commit. */
export type Graph = GraphView['graph']

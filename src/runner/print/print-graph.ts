import type { Graph } from '#domain/graph/graph.ts'
import { printDot } from './dot.ts'
import { printGraphTable } from './graph-table.ts'
import { printMermaid } from './mermaid.ts'

/** The formats of `svc scan --format`, each from a graph to text that ends with a newline. */
export const graphFormats = {
  json: (graph: Graph): string => `${JSON.stringify(graph, undefined, 2)}\n`,
  dot: printDot,
  mermaid: printMermaid,
  table: printGraphTable,
} as const

export type GraphFormat = keyof typeof graphFormats

export const isGraphFormat = (name: string): name is GraphFormat => Object.hasOwn(graphFormats, name)

export const printGraph = (graph: Graph, format: GraphFormat): string => graphFormats[format](graph)

import type { CompactGraphView, GraphView } from '#api/repositories/graph-view.ts'
import { getJson, getJsonText, pathOf, withQuery } from './client.ts'
import type { Graph } from './run-types.ts'

/** The stacks of a commit as numbers, in waves. That an edge has three is beyond what the API's document can say. */
export type CompactGraph = Omit<CompactGraphView['graph'], 'edges'> & {
  edges: [from: number, to: number, kind: number][]
}

/** `text` is the whole answer: graphs of 5 MB are compared by it in a millisecond. */
export type CompactAnswer = { text: string; body: { graph: CompactGraph } }

/** The graph of the default branch; before the first merge, the newest. */
export const readGraph = (owner: string, repo: string, signal?: AbortSignal): Promise<CompactAnswer> =>
  getJsonText(withQuery(pathOf('repos', owner, repo, 'graph'), { form: 'compact' }), signal)

/** The graph that a run was resolved from. */
export const readRunGraph = async (repo: string, run: string, signal?: AbortSignal): Promise<Graph> => {
  const view = await getJson<GraphView>(withQuery(pathOf('repos', ...repo.split('/'), 'graph'), { run }), signal)
  return view.graph
}

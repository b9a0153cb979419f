import type { GraphView } from '#api/repositories/graph-view.ts'
import { getJson, pathOf, withQuery } from './client.ts'
import type { Graph } from './run-types.ts'

/** The graph that a run was resolved from. */
export const readRunGraph = async (repo: string, run: string, signal?: AbortSignal): Promise<Graph> => {
  const view = await getJson<GraphView>(withQuery(pathOf('repos', ...repo.split('/'), 'graph'), { run }), signal)
  return view.graph
}

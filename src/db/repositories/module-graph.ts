import { z } from 'zod'
import type { ModuleGraph } from '#domain/graph/module-use.ts'
import { createBreath, portionRows } from '#portions.ts'
import { type Reader, sql } from '../sql.ts'

const Part = z.object({ full_name: z.string(), part: z.enum(['stacks', 'modules', 'edges']), list: z.string() })

/**
 * What the graph that a repository's stacks are listed by says of modules. Postgres takes it out of the graph's text, and it is read in
 * portions: the whole text of 8 MB held the event loop for 40 ms on its way in, and then for 100 ms to be parsed.
 */
export const findModuleGraph = async (
  db: Reader,
  repoId: number,
): Promise<{ repo: string; graph: ModuleGraph } | undefined> => {
  const parts = await db.any(sql.type(Part)`
    with graph as materialized (
      select r.full_name, g.body::json as body from repositories r
      join graphs g on g.installation_id = r.installation_id and g.id = r.listed_graph_id where r.id = ${repoId}
    ), nodes as (
      select 'stacks' as part, n, json_build_object('key', node->'key', 'external', node->'external') as node
      from graph, json_array_elements(body->'stacks') with ordinality as t(node, n)
      union all
      select 'modules', n, node from graph, json_array_elements(body->'modules') with ordinality as t(node, n)
      union all
      select 'edges', n, json_build_object('from', edge->'from', 'to', edge->'to', 'ref', edge->'meta'->'ref')
      from graph, json_array_elements(body->'edges') with ordinality as t(edge, n) where edge->>'type' = 'uses_module'
    )
    select full_name, p.part, p.list from graph cross join (
      select part, json_agg(node order by n)::text as list, n / ${portionRows} as portion from nodes group by part, portion
      union all select 'stacks', '[]', 0) p
    order by p.part, p.portion`)
  const [listed] = parts
  if (!listed) return undefined
  const graph: ModuleGraph = { stacks: [], modules: [], edges: [] }
  const breath = createBreath()
  for (const { part, list } of parts) {
    // each part is what the statement makes of a graph that was checked when it came in
    graph[part].push(...JSON.parse(list))
    await breath()
  }
  return { repo: listed.full_name, graph }
}

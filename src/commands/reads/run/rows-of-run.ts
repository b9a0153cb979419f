import { type ShapedRunStackDetail, shapeRunStackDetail } from '#commands/shapes/shape-run-stack.ts'
import type { Pool } from '#db/sql.ts'
import { runStackDetails } from '#db/views/runs/run-stack-detail.ts'
import { placesOfRun, runStackViews, runStackViewsWithoutTexts } from '#db/views/runs/run-stack-view.ts'
import { portionsOfBytes } from '#portions.ts'

/** How much of a run's rows is wanted: without texts, and those alone that changed after a `rev`. */
export type WantedRows = { text?: 'none' | undefined; since?: number | undefined }

/**
 * A run's rows in the order of waves and keys, a few at a time. `whole`: it is all of them. Rows that were taken away, by
 * another graph, are told so: those in their place all have a later `rev`, and are then all that there is.
 */
export type RowsOfRun = { whole: boolean; rows: AsyncGenerator<ShapedRunStackDetail[]> }

export const rowsOfRun = async (pool: Pool, runId: string, { text, since = 0 }: WantedRows): Promise<RowsOfRun> => {
  const places = await placesOfRun(pool, runId, { since, withPlans: text !== 'none' })
  const wanted = places.filter(({ rev }) => rev > since)
  const portions = portionsOfBytes(wanted, atMost)
  const read = text === 'none' ? runStackViewsWithoutTexts : runStackViews
  return { whole: wanted.length === places.length, rows: rowsIn(pool, runId, portions, read) }
}

async function* rowsIn(
  pool: Pool,
  runId: string,
  portions: Iterable<readonly { stack_id: string }[]>,
  read: typeof runStackViews,
): AsyncGenerator<ShapedRunStackDetail[]> {
  for (const portion of portions) {
    const ids = portion.map(({ stack_id }) => stack_id)
    const views = await read(
      pool,
      ids.map((stackId) => ({ runId, stackId })),
    )
    const details = await runStackDetails(pool, runId, ids)
    const byId = new Map(views.map((view) => [view.stack_id, view]))
    yield ids.flatMap((id) => {
      const view = byId.get(id)
      return view ? [shapeRunStackDetail(view, details.get(id))] : []
    })
  }
}

/** Rows in memory at a time: 6,000 stacks with whole plan texts would be 1.5 GB, and results may have a megabyte each. */
const atMost = { rows: 200, bytes: 2 * 1024 * 1024 }

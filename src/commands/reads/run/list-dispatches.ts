import { z } from 'zod'
import type { PersonOrKey } from '#commands/callers/caller.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { limitOf, type Page, type PageRequest, pageOf, readCursor } from '#commands/shapes/page.ts'
import { present } from '#commands/shapes/shape-run.ts'
import { dispatchesOfRun, type RunDispatch } from '#db/views/runs/run-dispatch-view.ts'
import { type RunReading, visibleRun } from './visible-run.ts'

type Reading = RunReading & Pick<RequestDeps, 'pages'>

const Place = z.int32().nonnegative()

/** The dispatches of a run by wave and part (docs/interface.md, 'GET /v1/runs/{id}/dispatches'). */
export const listDispatches = async (
  deps: Reading,
  caller: PersonOrKey,
  runId: string,
  asked: PageRequest,
): Promise<Page<ReturnType<typeof shapeDispatch>>> => {
  const { rows: from } = await visibleRun(deps, caller, runId)
  const list = `dispatches of ${runId}`
  const limit = limitOf(asked)
  const [, wave, part] = readCursor(asked.cursor, z.tuple([z.literal(list), Place, Place])) ?? []
  const after = wave === undefined || part === undefined ? undefined : { wave, part }
  const rows = await dispatchesOfRun(from, { runId, after, limit: limit + 1 })
  return pageOf(rows, limit, {
    keyOf: (row) => [list, row.wave, row.part],
    shape: (row) => shapeDispatch(deps.pages, row),
  })
}

const shapeDispatch = (pages: Reading['pages'], row: RunDispatch) => ({
  id: row.id,
  wave: row.wave,
  part: row.part,
  state: row.state,
  keys: row.keys,
  created_at: row.created_at.toISOString(),
  ...present({
    workflow_run: workflowRunOf(pages, row),
    refusals: row.refusals === 0 ? null : row.refusals,
    refusal: row.refusals === 0 ? null : row.message,
    sent_at: row.sent_at?.toISOString(),
    bound_at: row.bound_at?.toISOString(),
    ended_at: row.ended_at?.toISOString(),
    timers: row.timers,
  }),
})

const workflowRunOf = (pages: Reading['pages'], row: RunDispatch) => {
  const { repo, workflow_run_id: id, workflow_run_attempt: attempt } = row
  if (id === null) return null
  return { id, url: pages.workflowRun(repo, id, attempt ?? undefined), ...present({ attempt }) }
}

import { z } from 'zod'
import type { PersonOrKey } from '#commands/callers/caller.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { cursorOf, limitOf, type Page, pageOf, readCursor } from '#commands/shapes/page.ts'
import { present } from '#commands/shapes/shape-run.ts'
import { type TimelineEntry, timelineOf } from '#db/views/runs/timeline-view.ts'
import { withoutDigest } from '../asked-machine.ts'
import { type RunReading, visibleRun } from './visible-run.ts'

/**
 * What a lock does by itself is numbered before it can be seen, and meanwhile a later entry of the run may be: whoever asks for
 * what comes after it would never see the earlier one. No transaction takes this long.
 */
const settlingMs = 5000

export type Timeline = Page<ReturnType<typeof shapeEntry>> & { after?: string }

/** The journal of a run and all that is of it, oldest first (docs/interface.md, 'GET /v1/runs/{id}/timeline'). */
export const readTimeline = async (
  deps: RunReading & Pick<RequestDeps, 'clock'>,
  caller: PersonOrKey,
  runId: string,
  asked: { limit?: number | undefined; after?: string | undefined },
): Promise<Timeline> => {
  const { rows: from } = await visibleRun(deps, caller, runId)
  const list = `timeline of ${runId}`
  const limit = limitOf(asked)
  const key = z.tuple([z.literal(list), z.int().nonnegative()])
  const after = readCursor(asked.after, key, 'after')?.[1] ?? 0
  const keyOf = ({ entry }: TimelineEntry) => [list, entry]
  const rows = await timelineOf(from, { runId, after, limit: limit + 1 })
  const settled = rows.slice(0, limit).findLast(({ at }) => +at < +deps.clock.now() - settlingMs)
  const goOn = settled ? cursorOf(keyOf(settled)) : asked.after
  return { ...pageOf(rows, limit, { keyOf, shape: shapeEntry }), ...(goOn === undefined ? {} : { after: goOn }) }
}

const shapeEntry = (row: TimelineEntry) => ({
  kind: row.kind,
  id: row.id,
  seq: row.seq,
  at: row.at.toISOString(),
  event: { ...withoutDigest(row.event), type: row.event.type },
  actor: row.actor,
  to: row.state_to,
  ...present({ key: row.key, from: row.state_from, cause: row.cause }),
})

import type { RunRow } from '#db/runs.ts'
import { runActor } from '#runtime/actor.ts'

/** Whether jobs of a run are at work, or still to be sent out. */
export const isUnderWay = (run: RunRow): boolean => run.status === 'planning' || run.status === 'applying'

const dayMs = 24 * 60 * 60 * 1000

/**
 * Whether a run on the default branch gives way to the next though it has not ended: a runner that waits for an approval, or
 * that nobody provides, may keep a workflow run open for a month, and no next one would be begun for as long.
 */
export const givesWay = ({ created_at: createdAt }: Pick<RunRow, 'created_at'>, now: Date): boolean =>
  +now - +createdAt >= dayMs

/** A newer commit replaces the run: the wave that is out comes to its end, and nothing further is sent. */
export const isSuperseding = (run: RunRow): boolean => {
  const { value } = runActor(run).snapshot
  return typeof value === 'object' && value.applying === 'superseding'
}

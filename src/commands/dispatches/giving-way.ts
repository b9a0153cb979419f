import type { RunRow } from '#db/machines/runs.ts'
import { runActor } from '#runtime/actor.ts'

const dayMs = 24 * 60 * 60 * 1000

/**
 * Whether a run on the default branch gives way to the next though it has not ended: a job that waits for an approval, or for
 * a runner that no one provides, may keep a workflow run open for a month, and no next run would begin until then.
 */
export const givesWay = ({ created_at: createdAt }: Pick<RunRow, 'created_at'>, now: Date): boolean =>
  +now - +createdAt >= dayMs

/** A newer commit replaces the run: the wave that is out finishes, and nothing further is sent. */
export const isSuperseding = (run: RunRow): boolean => {
  const { value } = runActor(run).snapshot
  return typeof value === 'object' && value.applying === 'superseding'
}

import type { RunRow } from '#db/runs.ts'

/** Whether jobs of a run are at work, or still to be sent out. */
export const isUnderWay = (run: RunRow): boolean => run.status === 'planning' || run.status === 'applying'

/** A newer commit replaces the run: the wave that is out comes to its end, and nothing further is sent. */
export const isSuperseding = ({ snapshot }: RunRow): boolean =>
  (snapshot as { value: { applying?: string } }).value.applying === 'superseding'

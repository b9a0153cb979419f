import type { Run } from '../api/runs.ts'

/** Who asked for a run: a person, or the schedule. */
export const askedBy = ({ requested_by: by, trigger }: Pick<Run, 'requested_by' | 'trigger'>): string =>
  by ?? (trigger === 'schedule' ? 'schedule' : 'nobody')

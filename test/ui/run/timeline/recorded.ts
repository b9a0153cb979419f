import type { Dispatch } from '#api/runs/dispatch.ts'
import type { Run } from '#api/runs/run.ts'
import type { TimelineEntry } from '#api/runs/timeline.ts'
import failed from './failed-apply.json' with { type: 'json' }

/** Answers of the service about the apply of `failedApply` (test/ui/run/an-apply.ts), as it gave them. */
export const recorded = failed as unknown as { run: Run; dispatches: Dispatch[]; timeline: TimelineEntry[] }

export const rows = recorded.run.stacks ?? []

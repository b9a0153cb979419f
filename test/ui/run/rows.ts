import type { Run, RunRow } from '../../../ui/api/run-types.ts'
import type { RunHead } from '../../../ui/live/run-store.ts'
import type { Phase } from '../../../ui/run/state/phase.ts'

/** A row as the API answers it, with what a test says of it. */
export const row = (key: string, more: Partial<RunRow> = {}): RunRow => ({
  ...{ stack_id: `id of ${key}`, key, path: key, wave: 0, status: 'pending' },
  ...more,
})

export const rowsOf = (...rows: RunRow[]): ReadonlyMap<string, RunRow> => new Map(rows.map((one) => [one.key, one]))

export const head = (more: Partial<RunHead> = {}): RunHead => ({
  ...{ id: '2919a255-0000-4000-8000-000000000000', repo: 'acme/infra', sha: 'a'.repeat(40), pr_number: 42 },
  ...{ trigger: 'comment', mode: 'apply', status: 'applying', requested_by: 'grace', waves: 3, current_wave: 1 },
  ...{ created_at: '2026-11-22T12:41:00Z', html_url: 'https://svc.example.com/runs/2919a255', rev: 1 },
  ...more,
})

/** An answer to the page's question. */
export const answer = (rev: number, stacks: RunRow[] | undefined, more: Partial<Run> = {}): Run => ({
  ...head({ rev }),
  ...(stacks === undefined ? {} : { stacks }),
  ...more,
})

export const phase = (more: Partial<Phase> = {}): Phase => ({
  ...{ mode: 'apply', wave: 1, drains: undefined, isOver: false },
  ...more,
})

import type { RequestDeps } from '#commands/deps.ts'
import type { RunDetail } from '#db/views/runs/run-detail-view.ts'
import type { ProgressRow, StandingRow } from '#db/views/runs/run-standing-view.ts'
import type { ListedRun } from '#db/views/runs/run-view.ts'
import type { StackStatus } from '#domain/run-status.ts'
import type { Attention } from '#domain/texts/attention.ts'
import { present, shapeRun } from './shape-run.ts'

type Linking = Pick<RequestDeps, 'baseUrl' | 'pages'>

/** A run as lists show it, with where the code host shows what it is of. */
export const shapeListedRun = ({ baseUrl, pages }: Linking, run: ListedRun) => ({
  ...shapeRun(baseUrl, run),
  commit_url: pages.commit(run.repo, run.sha),
  ...present({
    pr_url: run.pr_number === null ? null : pages.pullRequest(run.repo, run.pr_number),
    pr_title: run.pr_title,
    rerun_of: run.rerun_of,
  }),
})

type Told = {
  /** Which rows the answer has: those after it. */
  since?: number
  /** Left out where nothing has changed. */
  standing?: { rows: readonly StandingRow[]; attention: Attention[]; next: string }
}

/** A single run as the API shows it (docs/interface.md, 'Run'). */
export const shapeRunDetail = (
  linking: Linking,
  run: RunDetail & { rev: number; archived: boolean },
  { since, standing }: Told,
) => ({
  ...shapeListedRun(linking, run),
  rev: run.rev,
  ...present({
    archived: run.archived ? (true as const) : undefined,
    thinned: isThinned(run, standing?.rows) ? (true as const) : undefined,
    since,
    plan_run_id: run.plan_run_id,
    superseded_by: run.superseded_by && {
      sha: run.superseded_by.sha,
      ...present({ run_id: run.superseded_by.run_id }),
    },
  }),
  ...(standing && {
    ...shapeProgress(standing.rows),
    totals: totalsOf(standing.rows),
    next: standing.next,
    ...present({ attention: standing.attention }),
  }),
})

/** A check for drift has stacks: without rows of them, it found nothing, and that was long ago. */
const isThinned = (
  { mode, status, waves, archived }: RunDetail & { archived: boolean },
  rows: readonly StandingRow[] | undefined,
): boolean => mode === 'drift' && status === 'planned' && waves > 0 && !archived && rows?.length === 0

export type ShapedRunDetail = ReturnType<typeof shapeRunDetail>

/** How many stacks of a run stand how, in all and by wave. */
export const shapeProgress = (rows: readonly ProgressRow[]) => ({
  counts: countsOf(rows),
  ...present({ by_wave: wavesOf(rows) }),
})

const countsOf = (rows: readonly ProgressRow[]): Partial<Record<StackStatus, number>> => {
  const counts: Partial<Record<StackStatus, number>> = {}
  for (const { status, stacks } of rows) counts[status] = (counts[status] ?? 0) + stacks
  return counts
}

const wavesOf = (rows: readonly ProgressRow[]) =>
  [...Map.groupBy(rows, ({ wave }) => wave)].map(([wave, some]) => ({
    wave,
    counts: countsOf(some),
    ...present({
      started_at: extreme(
        some.map((row) => row.started_at),
        Math.min,
      ),
      // still under way where one has not ended
      finished_at: some.every((row) => row.finished_at)
        ? extreme(
            some.map((row) => row.finished_at),
            Math.max,
          )
        : null,
    }),
  }))

const extreme = (times: (Date | null)[], which: (...times: number[]) => number): string | undefined => {
  const known = times.flatMap((time) => (time === null ? [] : [+time]))
  return known.length === 0 ? undefined : new Date(which(...known)).toISOString()
}

const totalsOf = (rows: readonly StandingRow[]) => {
  const sum = (of: (row: StandingRow) => number): number => rows.reduce((all, row) => all + of(row), 0)
  return {
    adds: sum((row) => row.adds),
    changes: sum((row) => row.changes),
    destroys: sum((row) => row.destroys),
    replaces: sum((row) => row.replaces),
    imports: sum((row) => row.imports),
    moves: sum((row) => row.moves),
    output_changes: sum((row) => row.output_changes),
  }
}

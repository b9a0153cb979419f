import type { Pool } from '#db/sql.ts'
import { reportedStacks, reportedWithoutTexts, sizesOfRun } from '#db/views/runs/reported-stacks.ts'
import type { RunStackView, StackRef } from '#db/views/runs/run-stack-view.ts'
import { inOrder } from '#domain/run-report.ts'
import { readWithin } from '#domain/texts/read-texts.ts'
import { portionBytes, portionsOf } from '#portions.ts'

/** Some rows of a run alone, and fewer bytes of texts. */
type Choice = { among?: ReadonlySet<string>; mostBytes?: number }

/**
 * The rows of a run as its comment and its own check runs show them, in the order of waves and keys. Texts are read of so many as a comment
 * could show sixty times over; a run of 20,000 stacks may have gigabytes of them.
 */
export const shownStacks = async (
  pool: Pool,
  runId: string,
  { among, mostBytes = portionBytes }: Choice = {},
): Promise<RunStackView[]> => {
  const sizes = (await sizesOfRun(pool, runId)).filter(({ stackId }) => among?.has(stackId) ?? true)
  const read = readWithin(sizes, mostBytes)
  const views = new Map<string, RunStackView>()
  for (const portion of portionsOf(sizes)) {
    const idsOf = (isRead: boolean) => portion.filter((one) => read.has(one) === isRead).map(({ stackId }) => stackId)
    const rows = [
      ...(await reportedStacks(pool, { runId, stackIds: idsOf(true) })),
      ...(await reportedWithoutTexts(pool, { runId, stackIds: idsOf(false) })),
    ]
    for (const row of rows) views.set(row.stack_id, row)
  }
  return sizes.flatMap(({ stackId }) => views.get(stackId) ?? [])
}

/** The same for rows of several runs. */
export const shownStacksOf = async (pool: Pool, refs: readonly StackRef[]): Promise<RunStackView[]> => {
  const byRun = Map.groupBy(refs, ({ runId }) => runId)
  const views: RunStackView[] = []
  for (const [runId, ofRun] of byRun) {
    const among = new Set(ofRun.map(({ stackId }) => stackId))
    views.push(...(await shownStacks(pool, runId, { among, mostBytes: portionBytes / byRun.size })))
  }
  return inOrder(views)
}

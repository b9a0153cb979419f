import { checkRunsWithoutStack, markTold, type ToldStack } from '#db/runs/sent-check-runs.ts'
import { reportedStacks } from '#db/views/runs/reported-stacks.ts'
import type { RunView } from '#db/views/runs/run-view.ts'
import { type UntoldStack, untoldStacks } from '#db/views/runs/untold-stacks.ts'
import type { CheckRunWanted } from '#domain/checks/check-run.ts'
import { droppedCheckRun, interimUpTo, isShown, statusesByWeight } from '#domain/checks/check-run-order.ts'
import { sameForStacks, stacksCheckRuns } from '#domain/checks/wanted-check-runs.ts'
import { hasEnded, type ReportedRun } from '#domain/run-report.ts'
import { createBreath, portionBytes, portionsOfBytes } from '#portions.ts'
import type { HandlerDeps, Stopping } from '../handler.ts'
import { longChecks } from './long-checks.ts'
import { type Checks, type LongCheck, openChecks } from './publish-checks.ts'
import { reportOfRun } from './report-of-run.ts'
import { type ReadWhole, readsWhole } from './whole-plans.ts'

type Wanted = { stackId: string | null; check: CheckRunWanted; long: LongCheck | undefined }

/** So many are read at once: at the code host's pace, a turn writes some five. */
const portion = { rows: 20, bytes: portionBytes }

/**
 * Writes the check runs of a run's stacks that changed, in the order in which they matter, while there is time; false if some are left. Only
 * what is about to be written is read: at the code host's pace 3,000 of them take an hour, and making all anew for each turn took 0.4 s of it
 * (a third of what storing as many results takes).
 */
export const writeStackChecks = async (
  deps: HandlerDeps & Stopping,
  run: RunView,
  hasTime: () => boolean,
): Promise<boolean> => {
  const shown = reportOfRun(deps.baseUrl, run, []).run
  // no pull request shows it
  if (shown.mode === 'drift') return true
  // most turns of a large run find the budget of the hour used up: finding and reading the next stacks takes Postgres 15 ms
  await deps.codehost.throwIfNoRoomForStacks(run)
  const checks = openChecks(deps, run)
  const read = readsWhole(deps)
  for await (const { stacks, untold } of pagesOfUntold(deps, shown)) {
    const more = { shown, checks, read, stacks, hasTime }
    for (const alike of Map.groupBy(untold, ({ weight }) => weight).values())
      for (const some of portionsOfBytes(alike, portion)) if (!(await writePortion(deps, run, some, more))) return false
  }
  const names = await checkRunsWithoutStack(deps.pool, run.id)
  if (names.length > 0) await checks.recall({ names })
  for (const name of names) {
    if (!hasTime()) return false
    await checks.write(droppedCheckRun(shown, name))
  }
  return true
}

/** So many are found at once: more than a turn writes, and few of a run of 20,000. */
const page = 200

/** A stack is in one page, even if not all of its check runs can be written now. */
async function* pagesOfUntold({ pool }: HandlerDeps, shown: ReportedRun) {
  const ended = hasEnded(shown)
  const wanted = {
    runId: shown.id,
    saidOfRun: sameForStacks(shown),
    ended: ended ? shown.status : undefined,
    weights: statusesByWeight,
    settledOver: ended ? undefined : interimUpTo,
    atMost: page,
  }
  const seen: string[] = []
  for (;;) {
    const found = await untoldStacks(pool, { ...wanted, seen })
    yield found
    if (found.untold.length < page) return
    for (const { stackId } of found.untold) seen.push(stackId)
  }
}

type More = { shown: ReportedRun; checks: Checks; read: ReadWhole; stacks: number; hasTime(): boolean }

const writePortion = async (
  deps: HandlerDeps & Stopping,
  run: RunView,
  portion: readonly UntoldStack[],
  { shown, checks, read, stacks, hasTime }: More,
): Promise<boolean> => {
  if (!hasTime()) return false
  const stackIds = portion.map(({ stackId }) => stackId)
  const wanted = await wantedOf(deps, run, stackIds, read)
  const names = new Set(wanted.map(({ check }) => check.name))
  const dropped = (await checks.recall({ names: [...names], stackIds })).filter(({ name }) => !names.has(name))
  const toWrite = Map.groupBy(
    [
      ...wanted.filter(({ check }) => isShown(check, stacks)),
      ...dropped.map(({ name, stack_id: stackId }) => ({
        stackId,
        check: droppedCheckRun(shown, name),
        long: undefined,
      })),
    ],
    ({ stackId }) => stackId,
  )
  const told: ToldStack[] = []
  try {
    for (const { stackId, madeOf } of portion) {
      let isWhole = true
      for (const { check, long } of toWrite.get(stackId) ?? []) {
        if (!hasTime()) return false
        if ((await checks.write(check, { stackId, long })) === 'cut') isWhole = false
      }
      if (isWhole) told.push({ stackId, madeOf })
    }
  } finally {
    // whatever comes between: of what was written nothing is made again
    await markTold(deps.pool, run.id, told)
  }
  return true
}

/** The check runs of some stacks as they should be now. */
const wantedOf = async (
  deps: HandlerDeps & Stopping,
  run: RunView,
  stackIds: readonly string[],
  read: ReadWhole,
): Promise<Wanted[]> => {
  const report = reportOfRun(deps.baseUrl, run, await reportedStacks(deps.pool, { runId: run.id, stackIds }))
  const longOf = longChecks(deps, report, read)
  const wanted: Wanted[] = []
  const breath = createBreath()
  for (const { stack, check } of stacksCheckRuns(report)) {
    wanted.push({ stackId: stack.stack_id, check, long: longOf(check) })
    await breath()
  }
  return wanted
}

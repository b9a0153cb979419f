import { analyse, type SeededRun, seedRun } from '#test/helpers/seed.ts'
import type { Side } from './place.ts'

/** Keys of so many stacks of a repository. */
const keysOf = (stacks: number): string[] =>
  Array.from({ length: stacks }, (_, index) => `stacks/team-${index % 40}/service-${index}`)

/** Runs of so many stacks that plan, and what the planner knows after the first minutes of a database's life. */
export const seededRuns = async (
  { pool, runtime, url }: Side,
  count: number,
  stacks: number,
): Promise<[SeededRun, ...SeededRun[]]> => {
  const one = (): Promise<SeededRun> => seedRun(pool, runtime, { waves: [keysOf(stacks)] })
  const runs: [SeededRun, ...SeededRun[]] = [await one()]
  while (runs.length < count) runs.push(await one())
  await analyse(url)
  return runs
}

export const seededAnalysed = async (side: Side, stacks: number): Promise<SeededRun> =>
  (await seededRuns(side, 1, stacks))[0]

import { analyse, type SeededRun, seedRun } from '#test/helpers/seed.ts'
import type { Side } from './place.ts'

/** Keys of so many stacks of a repository. */
const keysOf = (stacks: number): string[] =>
  Array.from({ length: stacks }, (_, index) => `stacks/team-${index % 40}/service-${index}`)

/** A run of so many stacks that plans, and what the planner knows after the first minutes of a database's life. */
export const seededAnalysed = async ({ pool, runtime, url }: Side, stacks: number): Promise<SeededRun> => {
  const run = await seedRun(pool, runtime, { waves: [keysOf(stacks)] })
  await analyse(url)
  return run
}

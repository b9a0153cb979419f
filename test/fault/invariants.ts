import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { readJournal } from '#db/journal.ts'
import { type Pool, sql } from '#db/sql.ts'
import { openTallies, Tally } from '#machines/tallies.ts'
import { stackRowId } from '#runtime/address.ts'
import { replay } from '#runtime/replay.ts'

const RunRow = z.object({
  id: z.string(),
  sha: z.string(),
  snapshot: z.object({ value: z.unknown(), context: z.looseObject({ tallies: z.array(Tally) }) }),
})
const StackRow = z.object({
  stack_id: z.string(),
  key: z.string(),
  wave: z.number(),
  status: z.string(),
  snapshot: z.unknown(),
})

/**
 * What does not hold of a pull request's machines, whatever happened to the service: each journal, replayed, leads to the
 * snapshot that is stored; a run's tallies count its rows; a head has one run.
 */
export const brokenInvariants = async (pool: Pool, prNumber: number): Promise<string[]> => {
  const runs = await pool.any(sql.type(RunRow)`select id, sha, snapshot from runs where pr_number = ${prNumber}`)
  const broken = await Promise.all(runs.map((run) => brokenInRun(pool, run)))
  const shas = runs.map((run) => run.sha)
  return [
    ...broken.flat(),
    ...shas.filter((sha, index) => shas.indexOf(sha) !== index).map((sha) => `${sha} has more runs than one`),
  ]
}

const brokenInRun = async (pool: Pool, { id, snapshot }: z.infer<typeof RunRow>): Promise<string[]> => {
  const stacks = await pool.any(sql.type(StackRow)`
    select stack_id, key, wave, status, snapshot from run_stacks where run_id = ${id}`)
  const machines = [
    { name: `run ${id}`, kind: 'run' as const, id, snapshot: snapshot as unknown },
    ...stacks.map((stack) => {
      const rowId = stackRowId(id, stack.stack_id)
      return { name: `${stack.key} of ${id}`, kind: 'stack' as const, id: rowId, snapshot: stack.snapshot }
    }),
  ]
  const broken: string[] = []
  for (const machine of machines) {
    const replayed = replay(machine.kind, await readJournal(pool, machine.kind, machine.id))
    if (!isDeepStrictEqual(plain(replayed), plain(machine.snapshot)))
      broken.push(`the journal of ${machine.name} leads elsewhere`)
  }
  const counted = talliesOf(stacks)
  if (!isDeepStrictEqual(snapshot.context.tallies, counted)) {
    broken.push(`run ${id} counts ${JSON.stringify(snapshot.context.tallies)}, its rows are ${JSON.stringify(counted)}`)
  }
  return broken
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const talliesOf = (stacks: readonly z.infer<typeof StackRow>[]): Tally[] => {
  const totals: number[] = []
  for (const { wave } of stacks) totals[wave] = (totals[wave] ?? 0) + 1
  const tallies = openTallies(totals).map((tally) => ({ ...tally, open: 0 }))
  for (const { wave, status } of stacks) tallies[wave]![columnOf(status)] += 1
  return tallies
}

const columnOf = (status: string): keyof Tally => {
  if (['pending', 'planning', 'applying'].includes(status)) return 'open'
  return ['planned', 'applied', 'noop'].includes(status) ? 'succeeded' : (status as keyof Tally)
}

import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { stackSnapshot } from '#db/machines/stack-snapshot.ts'
import { type Pool, sql } from '#db/sql.ts'
import { openTallies, Tally } from '#machines/tallies.ts'
import { stackRowId } from '#runtime/address.ts'
import { readJournal, replay } from '#test/helpers/journal.ts'

const RunRow = z.object({
  id: z.string(),
  sha: z.string(),
  mode: z.string(),
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
 * What is wrong with a pull request's machines, whatever happened to the service. Each journal, replayed, must lead to the
 * stored snapshot; a run's tallies must count its rows; a head must have one plan; no wave may start before its predecessors
 * have succeeded; a held lock must name an existing run, and the stack must be one of that run.
 */
export const brokenInvariants = async (pool: Pool, prNumber: number): Promise<string[]> => {
  const runs = await pool.any(sql.type(RunRow)`select id, sha, mode, snapshot from runs where pr_number = ${prNumber}`)
  const broken = await Promise.all(runs.map((run) => brokenInRun(pool, run)))
  const shas = runs.filter(({ mode }) => mode === 'plan').map((run) => run.sha)
  return [
    ...broken.flat(),
    ...shas.filter((sha, index) => shas.indexOf(sha) !== index).map((sha) => `${sha} has more plans than one`),
    ...(await brokenLocks(pool, prNumber)),
  ]
}

/** The same of some runs alone, whatever others do meanwhile. */
export const brokenInRuns = async (pool: Pool, ids: readonly string[]): Promise<string[]> => {
  const wanted = sql.array([...ids], 'uuid')
  const runs = await pool.any(sql.type(RunRow)`select id, sha, mode, snapshot from runs where id = any(${wanted})`)
  return (await Promise.all(runs.map((run) => brokenInRun(pool, run)))).flat()
}

const LockRow = z.object({ stack_id: z.string(), key: z.string(), state: z.string(), snapshot: z.unknown() }).extend({
  run_id: z.string().nullable(),
  is_of_run: z.boolean(),
})

/** The locks of all stacks in the pull request's runs. */
const brokenLocks = async (pool: Pool, prNumber: number): Promise<string[]> => {
  const locks = await pool.any(sql.type(LockRow)`
    select l.stack_id, s.key, l.state, l.run_id, l.snapshot,
      exists (select from run_stacks o where o.run_id = l.run_id and o.stack_id = l.stack_id) as is_of_run
    from locks l join stacks s on s.id = l.stack_id
    where exists (select from run_stacks o join runs r on r.id = o.run_id
      where o.stack_id = l.stack_id and r.pr_number = ${prNumber})`)
  const isNobodys = ({ state, run_id, is_of_run }: z.infer<typeof LockRow>): boolean =>
    state === 'free' ? run_id !== null : !is_of_run
  const machines = locks.map(({ key, stack_id: id, snapshot }) => ({
    ...{ name: `the lock of ${key}`, kind: 'lock' as const, id, snapshot },
  }))
  return [
    ...(await astray(pool, machines)),
    ...locks.filter(isNobodys).map(({ key, state, run_id }) => `the lock of ${key} is ${state} by run ${run_id}`),
  ]
}

type Machine = { name: string; kind: 'run' | 'stack' | 'lock' | 'dispatch'; id: string; snapshot: unknown }

/** The machines whose journal does not lead to the stored snapshot. */
const astray = async (pool: Pool, machines: readonly Machine[]): Promise<string[]> => {
  const broken: string[] = []
  for (const { name, kind, id, snapshot } of machines) {
    const journal = await readJournal(pool, kind, id)
    if (!isDeepStrictEqual(replayed(kind, journal), plain(snapshot)))
      broken.push(`the journal of ${name} leads elsewhere`)
  }
  return broken
}

/** A journal with a gap, or with an impossible event, leads nowhere. */
const replayed = (kind: Machine['kind'], journal: Awaited<ReturnType<typeof readJournal>>): unknown => {
  try {
    return plain(replay(kind, journal))
  } catch (error) {
    return error
  }
}

const DispatchRow = z.object({ id: z.string(), wave: z.number(), snapshot: z.unknown(), is_early: z.boolean() })

/** A wave of an apply gets dispatches when all before it have succeeded, and a result never changes. */
const brokenDispatches = async (pool: Pool, runId: string): Promise<string[]> => {
  const dispatches = await pool.any(sql.type(DispatchRow)`
    select d.id, d.wave, d.snapshot, exists (
      select from run_stacks s where s.run_id = d.run_id and s.wave < d.wave and not exists (
        select from journal j where j.run_id = s.run_id and j.subject_id = s.stack_id
          and j.state_to in ('applied', 'noop', 'planned')
          and j.at <= (select c.at from journal c where c.run_id = d.run_id and c.subject_id = d.id and c.seq = 0))) as is_early
    from dispatches d where d.run_id = ${runId}`)
  const machines = dispatches.map(({ id, wave, snapshot }) => ({
    ...{ name: `the dispatch of wave ${wave} of ${runId}`, kind: 'dispatch' as const, id, snapshot },
  }))
  const early = dispatches.filter((dispatch) => dispatch.is_early)
  return [
    ...(await astray(pool, machines)),
    ...early.map(({ wave }) => `wave ${wave} of ${runId} started before the waves before it had succeeded`),
  ]
}

const brokenInRun = async (pool: Pool, { id, snapshot }: z.infer<typeof RunRow>): Promise<string[]> => {
  const stacks = await pool.any(sql.type(StackRow)`
    select s.stack_id, s.key, s.wave, s.status, ${stackSnapshot} as snapshot from run_stacks s where s.run_id = ${id}`)
  const machines = [
    { name: `run ${id}`, kind: 'run' as const, id, snapshot: snapshot as unknown },
    ...stacks.map((stack) => {
      const rowId = stackRowId(id, stack.stack_id)
      return { name: `${stack.key} of ${id}`, kind: 'stack' as const, id: rowId, snapshot: stack.snapshot }
    }),
  ]
  const broken = [...(await astray(pool, machines)), ...(await brokenDispatches(pool, id))]
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

import { z } from 'zod'
import { type Reader, sql } from '../../sql.ts'
import { ofRun } from '../../tenant.ts'
import { textBytes } from './reported-stacks.ts'

/** A stack whose check runs may have to be written, the lower its weight the earlier, and what they are made of then. */
export type UntoldStack = { stackId: string; madeOf: string; weight: number; bytes: number }

export type Untold = {
  runId: string
  /** What the check runs of the run's stacks say of the run itself: all are made once more when it changes. */
  saidOfRun: string
  /** How it ended, which changes what is said of stacks that are open. */
  ended: string | undefined
  /** Statuses of stacks by weight. */
  weights: readonly (readonly string[])[]
  /** With more stacks than this, those that are open are left for later; undefined: they are not. */
  settledOver: number | undefined
  /** Those that were found before, and need not be found again. */
  seen: readonly string[]
  /** So many at once. */
  atMost: number
}

const Row = z.object({
  stacks: z.number(),
  ids: z.array(z.string()),
  made: z.array(z.string()),
  weights: z.array(z.number()),
  bytes: z.array(z.number()),
})

const open = 3

/**
 * The stacks of a run that changed since their check runs were made, first what matters most. A row's `rev` stands for it, its result and its
 * verdicts; the lock on the stack is beside it, with its fence: that it was taken and is free again is a change, too. In a large run a verdict
 * that a later graph dropped is ended when its stack is settled. How much there is to read is looked up of those alone that are returned: of
 * 2,000 it took 50 of 60 ms, and at the code host's pace a turn writes five. As arrays, as in `sizesOfRun`.
 */
export const untoldStacks = async (
  db: Reader,
  { runId, saidOfRun, ended, weights, settledOver, seen, atMost }: Untold,
): Promise<{ stacks: number; untold: UntoldStack[] }> => {
  const owner = ofRun(db, runId)
  const weight = sql.fragment`case ${sql.join(
    weights.map(
      (statuses, at) => sql.fragment`when s.status = any(${sql.array([...statuses], 'text')}) then ${at}::int4`,
    ),
    sql.fragment` `,
  )} else ${open}::int4 end`
  const {
    stacks,
    ids,
    made,
    weights: found,
    bytes,
  } = await db.one(sql.type(Row)`
    with stacks as (
      select s.stack_id, s.wave, s.key, ${weight} as weight,
        hashtextextended(concat_ws(' ', s.rev, l.fence, l.run_id, ${saidOfRun}::text, case when ${weight} = ${open} then ${ended ?? null}::text end), 0) as made_of
      from run_stacks s left join locks l on l.installation_id = ${owner} and l.stack_id = s.stack_id
      where s.installation_id = ${owner} and s.run_id = ${runId}),
    verdicts as (
      select stack_id, min(case when status = 'fail' and waived_by is null then 0 when status = 'pass' then 2 else 1 end) as weight
      from checks where installation_id = ${owner} and run_id = ${runId} group by stack_id),
    untold as (
      select s.stack_id, s.wave, s.key, s.made_of, least(s.weight, v.weight) as weight
      from stacks s left join verdicts v on v.stack_id = s.stack_id
      where not exists (select from unnest(${sql.array([...seen], 'uuid')}) as t(id) where t.id = s.stack_id) and not exists (
        select from check_runs c
        where c.installation_id = ${owner} and c.run_id = ${runId} and c.stack_id = s.stack_id and c.made_of = s.made_of)),
    due as (
      select ${owner} as installation_id, ${runId}::uuid as run_id, u.* from untold u
      where not ((weight = ${open} and (select count(*) from stacks) > ${settledOver ?? null}::int8) is true)
      order by weight, wave, key limit ${atMost}),
    sized as (
      select s.*, ${textBytes} as bytes from due s
      left join results r on r.installation_id = ${owner} and r.run_id = ${runId} and r.stack_id = s.stack_id)
    select (select count(*) from stacks) as stacks, coalesce(array_agg(stack_id order by weight, wave, key), '{}') as ids,
      coalesce(array_agg(made_of::text order by weight, wave, key), '{}') as made,
      coalesce(array_agg(weight order by weight, wave, key), '{}') as weights,
      coalesce(array_agg(bytes order by weight, wave, key), '{}') as bytes
    from sized`)
  const untold = ids.map((stackId, at) => ({
    stackId,
    madeOf: made[at] ?? '',
    weight: found[at] ?? open,
    bytes: bytes[at] ?? 0,
  }))
  return { stacks, untold }
}

import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Pool, sql } from '#db/sql.ts'

const Ref = z.looseObject({ run_id: z.string(), status: z.string() }).nullable()
const StandingRow = z.object({
  key: z.string(),
  kept: z.object({ status: z.string().nullable(), last_plan: Ref, last_apply: Ref }),
  rows: z.array(z.object({ run_id: z.string(), mode: z.string(), status: z.string(), ref: Ref })),
})

const ran = ['planned', 'applied', 'noop', 'failed', 'unconfirmed', 'unknown']

/**
 * What is wrong with how stacks are said to stand: by the rows of all their runs, and the counts by the stacks themselves. Only
 * where nothing is under way.
 */
export const brokenStandings = async (pool: Pool): Promise<string[]> => {
  const stacks = await pool.any(sql.type(StandingRow)`
    select s.key, jsonb_build_object('status', n.status, 'last_plan', n.last_plan, 'last_apply', n.last_apply) as kept, (
      select coalesce(jsonb_agg(jsonb_build_object('run_id', x.run_id, 'mode', x.mode, 'status', x.status, 'ref',
        jsonb_build_object('run_id', x.run_id, 'sha', r.sha, 'pr_number', r.pr_number, 'mode', x.mode, 'status', x.status,
          'summary', t.body->'summary', 'started_at', x.started_at, 'finished_at', x.finished_at, 'job_url', t.body->'job_url'))
        order by x.created_at desc, x.run_id desc), '[]')
      from run_stacks x join runs r on r.id = x.run_id left join results t on t.run_id = x.run_id and t.stack_id = x.stack_id
      where x.stack_id = s.id) as rows
    from stacks s join stack_standings n on n.stack_id = s.id order by s.key`)
  const astray = stacks.flatMap(({ key, kept, rows }) => {
    const lastOf = (mode: string) => rows.find((row) => row.mode === mode && ran.includes(row.status))?.ref ?? null
    const expected = { status: rows[0]?.status ?? null, last_plan: lastOf('plan'), last_apply: lastOf('apply') }
    return isDeepStrictEqual(timed(kept), timed(expected))
      ? []
      : [`${key} stands at ${JSON.stringify(kept)}, its rows say ${JSON.stringify(expected)}`]
  })
  return [...astray, ...(await brokenCounts(pool))]
}

/** Times as numbers: Postgres and Node spell them differently. */
const timed = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, each) => (name.endsWith('ed_at') && each !== null ? Date.parse(each) : each))

const Count = z.object({ repo_id: z.number(), status: z.string(), stacks: z.number(), counted: z.number() })

const brokenCounts = async (pool: Pool): Promise<string[]> => {
  const counts = await pool.any(sql.type(Count)`
    select repo_id, status, sum(stacks)::int8 as stacks, sum(counted)::int8 as counted from (
      select s.repo_id, n.status, 1 as stacks, 0 as counted
      from stacks s join stack_standings n on n.stack_id = s.id where s.listed and n.status is not null
      union all select repo_id, status, 0, stacks from stack_counts
      union all select repo_id, status, 0, change from stack_count_changes) c
    group by repo_id, status`)
  return counts
    .filter(({ stacks, counted }) => stacks !== counted)
    .map(({ status, stacks, counted }) => `${counted} stacks are counted as ${status}, there are ${stacks}`)
}

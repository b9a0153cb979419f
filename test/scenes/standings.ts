import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Pool, sql } from '#db/sql.ts'

const text = z.string().nullable()
const StandingRow = z.object({
  key: z.string(),
  kept: z.object({ status: text, plan: text, apply: text, apply_status: text }),
  rows: z.array(z.object({ run_id: z.string(), mode: z.string(), status: z.string() })),
})

const ran = ['planned', 'applied', 'noop', 'failed', 'unconfirmed', 'unknown']

/**
 * What is wrong with how stacks are said to stand: by the rows of all their runs, and the counts by the stacks themselves. Only
 * where nothing is under way.
 */
export const brokenStandings = async (pool: Pool): Promise<string[]> => {
  const stacks = await pool.any(sql.type(StandingRow)`
    select s.key, jsonb_build_object('status', n.status, 'plan', n.plan_run_id, 'apply', n.apply_run_id,
        'apply_status', n.apply_status) as kept, (
      select coalesce(jsonb_agg(jsonb_build_object('run_id', x.run_id, 'mode', x.mode, 'status', x.status)
        order by x.created_at desc, x.run_id desc), '[]')
      from run_stacks x where x.stack_id = s.id) as rows
    from stacks s join stack_standings n on n.stack_id = s.id order by s.key`)
  const astray = stacks.flatMap(({ key, kept, rows }) => {
    const lastOf = (mode: string) => rows.find((row) => row.mode === mode && ran.includes(row.status))
    const [plan, apply] = [lastOf('plan')?.run_id ?? null, lastOf('apply')?.run_id ?? null]
    const expected = { status: rows[0]?.status ?? null, plan, apply, apply_status: lastOf('apply')?.status ?? null }
    return isDeepStrictEqual(kept, expected)
      ? []
      : [`${key} stands at ${JSON.stringify(kept)}, its rows say ${JSON.stringify(expected)}`]
  })
  return [...astray, ...(await brokenCounts(pool))]
}

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

import { z } from 'zod'
import { shortVerdict } from '#db/machines/beside-machine.ts'
import { limits } from '#domain/limits.ts'
import type { TextSize } from '#domain/texts/read-texts.ts'
import { type FragmentSqlToken, type Reader, sql } from '../../sql.ts'
import { ofRun } from '../../tenant.ts'
import { columnsWith, joins, RunStackView, withResults } from './run-stack-view.ts'

/** A row of a run and its size. */
export type SizedStack = TextSize & { stackId: string }

const SizesRow = z.object({ ids: z.array(z.string()), bytes: z.array(z.number()), ranks: z.array(z.number()) })

const isOfRun = (db: Reader, runId: string): FragmentSqlToken =>
  sql.fragment`s.installation_id = ${ofRun(db, runId)} and s.run_id = ${runId}`

/** In the order of reading-order.ts. */
const rank = sql.fragment`
  case when s.status = 'failed' then 0
    when coalesce((r.body->'summary'->>'destroys')::int8, 0) + coalesce((r.body->'summary'->>'replaces')::int8, 0) > 0 then 1
    else 2 end`

/** How much there is to read of rows `s` and `r`, known without reading it. */
export const textBytes = sql.fragment`
  (coalesce(least(octet_length(r.plan_text), ${limits.planTextKeptBytes}), 0) + coalesce(octet_length(r.body::text), 0) + coalesce((
    select sum(coalesce(octet_length(c.summary), 0) + coalesce(octet_length(c.details_url), 0)) from checks c
    where c.installation_id = s.installation_id and c.run_id = s.run_id and c.stack_id = s.stack_id), 0))::int4`

/**
 * The stacks of a run in the order of waves and keys, by Postgres' own collation, and how much each has of texts that others wrote. As arrays: the
 * rows of one statement are checked in one turn of the event loop, which 20,000 would hold for 100 ms.
 */
export const sizesOfRun = async (db: Reader, runId: string): Promise<SizedStack[]> => {
  const { ids, bytes, ranks } = await db.one(sql.type(SizesRow)`
    select coalesce(array_agg(stack_id order by wave, key), '{}') as ids, coalesce(array_agg(bytes order by wave, key), '{}') as bytes,
      coalesce(array_agg(rank order by wave, key), '{}') as ranks
    from (
      select s.stack_id, s.wave, s.key, ${rank} as rank,
        ${textBytes} as bytes
      from run_stacks s ${withResults}
      where ${isOfRun(db, runId)}) sized`)
  return ids.map((stackId, index) => ({ stackId, bytes: bytes[index] ?? 0, rank: ranks[index] ?? 2 }))
}

/**
 * As much of a plan as the row keeps when the bucket has the whole, plus one character that shows that there is more: 5,000
 * whole ones would be 1.3 GB.
 */
const beginning = sql.fragment`left(r.plan_text, ${limits.planTextKeptBytes + 1})`

/** There is one. */
const withoutText = sql.fragment`case when r.plan_text is not null then '' end`

/** What a result comes to, without its texts and lists. */
const shortBody = sql.fragment`(
  (r.body::jsonb - '{error_text,job_url,backend}'::text[]) #- '{summary,added}' #- '{summary,changed}' #- '{summary,destroyed}'
    #- '{summary,replaced}'
  || case when r.body->>'error_text' is null then '{}' else jsonb_build_object('error_text', left(r.body->>'error_text', 200) || '…') end)`

const rowsWith = (
  db: Reader,
  { runId, stackIds, columns, text }: Rows & { columns: FragmentSqlToken; text: FragmentSqlToken },
): Promise<readonly RunStackView[]> =>
  stackIds.length === 0
    ? Promise.resolve([])
    : db.any(sql.type(RunStackView)`
      select ${columns}, ${text} as plan_text from run_stacks s ${joins}
      where ${isOfRun(db, runId)} and s.stack_id = any(${sql.array([...stackIds], 'uuid')}) order by s.wave, s.key`)

type Rows = { runId: string; stackIds: readonly string[] }

const whole = columnsWith(sql.fragment`r.body`)
const short = columnsWith(shortBody, shortVerdict)

/** Some rows of a run with their texts, of plans the beginning. */
export const reportedStacks = (db: Reader, rows: Rows): Promise<readonly RunStackView[]> =>
  rowsWith(db, { ...rows, columns: whole, text: beginning })

/** Some rows of a run without their texts; of a plan there is only its size. */
export const reportedWithoutTexts = (db: Reader, rows: Rows): Promise<readonly RunStackView[]> =>
  rowsWith(db, { ...rows, columns: short, text: withoutText })

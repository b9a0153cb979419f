import { z } from 'zod'
import { reasons } from '#domain/resolution/reasons.ts'
import { isoText } from '../moment.ts'
import { type FragmentSqlToken, sql } from '../sql.ts'
import { betweenRuns } from './between-runs.ts'
import { isHeld } from './locks.ts'
import { listed } from './stack-snapshot.ts'

export const CheckView = z.object({
  name: z.string(),
  status: z.enum(['pass', 'fail', 'warn']),
  summary: z.string().nullish(),
  details_url: z.string().nullish(),
  /** Details are long: who shows them reads them one by one. */
  has_details: z.boolean().nullish(),
  updated_at: z.string(),
  /** Who let an apply past a failed verdict. */
  waived_by: z.string().nullish(),
})

const updatedAt = sql.fragment`'updated_at', ${isoText(sql.fragment`c.updated_at`)}`

export const wholeVerdict = sql.fragment`jsonb_build_object('name', c.name, 'status', c.status, 'summary', c.summary,
  'details_url', c.details_url, 'has_details', c.details is not null, ${updatedAt}, 'waived_by', c.waived_by)`

/** Without what its author wrote. */
export const shortVerdict = sql.fragment`jsonb_build_object('name', c.name, 'status', c.status, ${updatedAt}, 'waived_by', c.waived_by)`

/** The verdicts on a row `s` of `run_stacks`, each of this form, as a list by name; `which` says again which verdicts `c` are meant. */
export const verdictsOn = (verdict: FragmentSqlToken, which = sql.fragment`true`): FragmentSqlToken => sql.fragment`
  coalesce((
    select jsonb_agg(${verdict} order by c.name)
    from checks c where c.installation_id = s.installation_id and c.run_id = s.run_id and c.stack_id = s.stack_id and ${which}), '[]')`

/** The held lock of a row `s`, as `l`: looked up for each, where a join might read all of an installation. */
export const withLock = sql.fragment`
  left join lateral (
    select k.* from locks k where k.installation_id = s.installation_id and k.stack_id = s.stack_id
      and ${isHeld(sql.fragment`k`)} limit 1) l on true`

export const BesideMachine = z.object({
  path: z.string(),
  instance: z.string().nullable(),
  workspace: z.string().nullable(),
  reasons: z.array(z.enum(reasons)),
  via: z.array(z.string()),
  checks: z.array(CheckView),
  lock: z.object({ run_id: z.string(), pr_number: z.number().nullable(), taken_at: z.string().nullable() }).nullable(),
})

/** What the API shows of a stack's row that no machine of a transaction knows; the lock unless the stage has its machine. */
export type BesideMachine = z.infer<typeof BesideMachine>

/** That of a row `s` of these runs with its lock `l`, as one value. */
export const besideMachine = (
  runIds: readonly string[],
): FragmentSqlToken => sql.fragment`json_build_object('path', coalesce(s.path, s.key), 'instance', s.instance,
  'workspace', s.workspace, 'reasons', s.reasons, 'via', ${listed(sql.fragment`s.via`)}, 'checks', ${verdictsOn(wholeVerdict, betweenRuns(sql.fragment`c.run_id`, runIds))},
  'lock', case when l.run_id is not null then json_build_object('run_id', l.run_id, 'pr_number', l.pr_number,
    'taken_at', ${isoText(sql.fragment`l.taken_at`)}) end)`

import type { ContextOf } from '#machines/index.ts'
import { type FragmentSqlToken, sql } from '../sql.ts'

/*
 * A stack's machine is its row: all that it is and remembers has a column that is there anyway or is null for most, so there is no
 * snapshot beside them. Both directions are here: what a machine remembers as columns, and a row as a snapshot.
 */

type Context = ContextOf<'stack'>

/** What the machine remembers, as columns; its mode and its wave are the row's own. */
export type Remembered = {
  [F in keyof Omit<Context, 'mode' | 'wave'>]-?:
    | Exclude<Context[F], undefined>
    | (undefined extends Context[F] ? null : never)
}

export const remembered = ({ fence, digest, blocked_by, lost }: Context): Remembered => ({
  fence: fence ?? null,
  digest: digest ?? null,
  blocked_by,
  lost: lost ?? null,
})

/** A list in a column, which is null where the list is empty, as most are: two empty ones took some 40 bytes of each row. */
export const listed = (column: FragmentSqlToken): FragmentSqlToken => sql.fragment`coalesce(${column}, '{}')`

/** The snapshot of a row `s` of `run_stacks`. */
export const stackSnapshot = sql.fragment`
  jsonb_build_object('value', s.status, 'context', jsonb_strip_nulls(jsonb_build_object('mode', s.mode, 'wave', s.wave,
    'fence', s.fence, 'digest', s.digest, 'blocked_by', ${listed(sql.fragment`s.blocked_by`)}, 'lost', s.lost)))`

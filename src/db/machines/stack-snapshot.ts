import { z } from 'zod'
import type { ContextOf } from '#machines/index.ts'
import { type FragmentSqlToken, sql } from '../sql.ts'

/*
 * A stack's machine is its row: all that it is and remembers has a column that is there anyway or is null for most, so there is no
 * snapshot beside them. Both directions are here: what a machine remembers as columns, and a row as a snapshot, for one in SQL and
 * for many here: of 24 µs that Postgres took to read one of thousands, 13 went into making its snapshot.
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

/** The columns of a row `s` of `run_stacks` that its snapshot is made of, besides its status and wave. */
export const rememberedColumns = sql.fragment`s.mode, s.fence, s.digest, s.blocked_by, s.lost`

export const rememberedRow = {
  mode: z.string(),
  fence: z.number().nullable(),
  digest: z.string().nullable(),
  blocked_by: z.array(z.string()).nullable(),
  lost: z.string().nullable(),
}

type StackRow = { status: string; wave: number } & {
  [F in keyof typeof rememberedRow]: z.infer<(typeof rememberedRow)[F]>
}

/** A row with its snapshot in place of these columns. */
export const withSnapshot = <R extends StackRow>({ mode, fence, digest, blocked_by, lost, ...row }: R) => ({
  ...row,
  snapshot: {
    value: row.status,
    context: {
      mode,
      wave: row.wave,
      ...(fence !== null && { fence }),
      ...(digest !== null && { digest }),
      blocked_by: blocked_by ?? [],
      ...(lost !== null && { lost }),
    },
  },
})

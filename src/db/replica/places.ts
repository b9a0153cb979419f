import { z } from 'zod'
import { type Reader, sql } from '../sql.ts'
import type { Lsn } from './lsn.ts'

const Primary = z.object({ lsn: z.string(), cluster: z.string() })

/** How far the log of a server that takes writes goes, and which cluster of databases it is. */
export const placeOfPrimary = (db: Reader): Promise<{ lsn: Lsn; cluster: string }> =>
  db.one(sql.type(Primary)`
    select pg_current_wal_insert_lsn()::text as lsn, system_identifier::text as cluster from pg_control_system()`)

const Follower = z.object({ lsn: z.string().nullable(), cluster: z.string() })

/** How far a server has followed the log; no place if it does not follow any, as one that takes writes. */
export const placeOfReplica = (db: Reader): Promise<{ lsn: Lsn | null; cluster: string }> =>
  db.one(sql.type(Follower)`
    select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as lsn,
      system_identifier::text as cluster
    from pg_control_system()`)

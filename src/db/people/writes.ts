import { nothing, type Reader, sql } from '../sql.ts'

/**
 * Notes how far the log goes now, after something that a session or a key did: what it reads next must be as new. All
 * instances find it with the credential itself.
 */
export const noteWrite = async (db: Reader, by: { sessionHash: string } | { apiKey: string }): Promise<void> => {
  await db.query(
    'apiKey' in by
      ? sql.type(nothing)`
          update api_keys set wrote_at = pg_current_wal_insert_lsn() where name = ${by.apiKey} and revoked_at is null`
      : sql.type(nothing)`
          update sessions set wrote_at = pg_current_wal_insert_lsn() where token_hash = ${by.sessionHash}`,
  )
}

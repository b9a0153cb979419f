import { type FragmentSqlToken, sql } from './sql.ts'

/** Of a repository: before a time, the app was removed from it, removed from its account, or suspended there. */
export const isOutOfSight = (repoId: FragmentSqlToken, before: Date): FragmentSqlToken => {
  const at = sql.fragment`${before.toISOString()}::timestamptz`
  return sql.fragment`exists (
    select 1 from repositories o join installations i on i.id = o.installation_id
    where o.id = ${repoId} and (o.removed_at < ${at} or i.removed_at < ${at} or i.suspended_at < ${at}))`
}

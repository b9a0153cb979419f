import { type FragmentSqlToken, sql } from './sql.ts'

/*
 * What keeps the default branch from telling how a stack should stand. Its lock says most of it: whoever changed a stack without
 * being merged holds on to it. A manual run lets go once it has reported, and a pull request once it is merged, so that what
 * was applied while a check was out is looked up besides.
 */

/** Of a lock `l`: its holder changed the stack, or is just about to. Claimed by an apply that never came to the stack is not. */
export const isChangedByHolder: FragmentSqlToken = sql.fragment`(
  l.run_id is not null and l.state <> 'free' and (l.state <> 'held.claimed' or exists (
    select 1 from run_stacks c
    where c.run_id = l.run_id and c.stack_id = l.stack_id and c.status in ('pending', 'applying'))))`

/** Only the last few applies are looked at: the lock of a stack lets one at a time change it, so they end as they began. */
export const isAppliedSince = (
  stackId: FragmentSqlToken,
  since: FragmentSqlToken,
): FragmentSqlToken => sql.fragment`exists (
  select 1 from (
    select status, finished_at from run_stacks
    where stack_id = ${stackId} and mode = 'apply' order by created_at desc, run_id desc limit 10) a
  where a.status = 'applying'
    or (a.status in ('applied', 'failed', 'unknown', 'unconfirmed') and a.finished_at > ${since}))`

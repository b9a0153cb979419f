import { isHeld } from '#db/machines/locks.ts'
import { changedByApplyStatuses, openApplyStatuses } from '#domain/run-status.ts'
import { type FragmentSqlToken, literals, sql } from '../sql.ts'

/*
 * Why the default branch may not say what a stack should be. Mostly the lock shows it: a change that is not merged yet keeps
 * the lock. But a manual run frees its lock once it has reported, and a pull request once it is merged, so what was applied
 * during a check is looked up as well.
 */

/**
 * Of a lock `l`: its holder changed the stack, or is about to. A lock claimed by an apply that never got to the stack does not
 * count.
 */
export const isChangedByHolder: FragmentSqlToken = sql.fragment`(
  ${isHeld(sql.fragment`l`)} and (l.state <> 'held.claimed' or exists (
    select 1 from run_stacks c
    where c.installation_id = l.installation_id and c.run_id = l.run_id and c.stack_id = l.stack_id
      and c.status in ${literals(openApplyStatuses)})))`

/** Of a stack `s`. Reads only the last few applies: the stack's lock lets one change it at a time, so they end in the order they began. */
export const isAppliedSince = (s: FragmentSqlToken, since: FragmentSqlToken): FragmentSqlToken => sql.fragment`exists (
  select 1 from (
    select status, finished_at from run_stacks
    where installation_id = ${s}.installation_id and stack_id = ${s}.id and mode = 'apply' order by created_at desc, run_id desc limit 10) a
  where a.status = 'applying'
    or (a.status in ${literals(changedByApplyStatuses)} and a.finished_at > ${since}))`

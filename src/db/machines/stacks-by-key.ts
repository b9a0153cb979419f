import { type FragmentSqlToken, type Reader, sql } from '../sql.ts'
import { ofRun } from '../tenant.ts'

/*
 * A stack of a run is found by its key in two steps: its repository's stack, which keeps its id and its key for good, and then the row by the
 * run and that id, which is its primary key. Rows of runs have no index of keys: it took 90 bytes of each.
 */

/**
 * A query of the id of a run's stack by its key, whether or not the run has a row of it. For one key: by a list of keys, stacks that the
 * planner has not counted yet are read by their installation alone. `owners` is a comparison with the installations that are looked into.
 */
export const idByKey = (
  owners: FragmentSqlToken,
  { run, key }: { run: FragmentSqlToken; key: FragmentSqlToken },
): FragmentSqlToken => sql.fragment`
  select known.id from stacks known
  where known.installation_id ${owners} and known.key = ${key}
    and known.repo_id = (select own.repo_id from runs own where own.installation_id ${owners} and own.id = ${run})`

/** The id of the stack with a key in a run, as a value in a statement. */
export const stackOfRun = (db: Reader, { runId, key }: { runId: string; key: string }): FragmentSqlToken =>
  sql.fragment`(${idByKey(sql.fragment`= ${ofRun(db, runId)}`, { run: sql.fragment`${runId}`, key: sql.fragment`${key}` })})`

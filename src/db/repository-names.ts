import { type FragmentSqlToken, sql } from './sql.ts'

/*
 * Repositories as others name them: configurations, sources of modules, entries of the audit log. What was written before a
 * rename or a transfer goes by the name of then, and means the same repository for as long as no other one has taken the name:
 * so does the code host, which leads from there to the new name.
 */

/** Whether some repository has the name, in lower case, now. */
export const isTaken = (name: FragmentSqlToken): FragmentSqlToken => sql.fragment`exists (
  select from repositories o where lower(o.full_name) = ${name} and o.removed_at is null)`

/** The names of a repository, in lower case, as rows of `name`: its own, and those it had that are nobody's now. */
export const namesOf = (repository: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
  select lower(${repository}.full_name) as name
  union select f.name from former_names f
  where f.repo_id = ${repository}.id and not ${isTaken(sql.fragment`f.name`)})`

/** The other way round: the repositories that a name in lower case stands for, as rows of `id`; what is gone is among them. */
export const repositoriesNamed = (name: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
  select n.id from repositories n where lower(n.full_name) = ${name}
  union all select f.repo_id from former_names f where f.name = ${name} and not ${isTaken(name)})`

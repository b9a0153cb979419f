import { type FragmentSqlToken, sql } from '../sql.ts'

/*
 * Repositories as others name them: configurations, sources of modules, entries of the audit log. Text written before a rename
 * or a transfer has the old name, and means the same repository until another one takes the name. The code host does the same:
 * it redirects to the new name.
 */

/** Whether some repository now has the name, in lower case. */
export const isTaken = (name: FragmentSqlToken): FragmentSqlToken => sql.fragment`exists (
  select from repositories o where lower(o.full_name) = ${name} and o.removed_at is null)`

/** The names of a repository, in lower case, as rows of `name`: its own, and former ones that no repository has now. */
export const namesOf = (repository: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
  select lower(${repository}.full_name) as name
  union select f.name from former_names f
  where f.repo_id = ${repository}.id and not ${isTaken(sql.fragment`f.name`)})`

/** The reverse: the repositories that a name in lower case means, as rows of `id`, including removed ones. */
export const repositoriesNamed = (name: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
  select n.id from repositories n where lower(n.full_name) = ${name}
  union all select f.repo_id from former_names f where f.name = ${name} and not ${isTaken(name)})`

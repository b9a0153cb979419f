import { type FragmentSqlToken, nothing, type Reader, sql } from './sql.ts'

/**
 * What a caller may see (docs/interface.md, 'Authentication'): every repository, or those whose installation is on one of
 * these accounts of the code host.
 */
export type Sight = 'everything' | { accountIds: readonly number[] }

/** The condition for an installation, by its alias in the statement: who sees an installation sees all of its repositories. */
export const isVisibleInstallation = (sight: Sight, installation: FragmentSqlToken): FragmentSqlToken =>
  sight === 'everything'
    ? sql.fragment`true`
    : sql.fragment`${installation}.account_id = any(${sql.array([...sight.accountIds], 'int8')})`

/**
 * The condition in reads for people: `repoId` names the column with the id of the repository, for example
 * sql.fragment`r.repo_id`. A semi-join that starts at the accounts, of which a person has few.
 */
export const isVisible = (sight: Sight, repoId: FragmentSqlToken): FragmentSqlToken =>
  sight === 'everything'
    ? sql.fragment`true`
    : sql.fragment`${repoId} in (
        select seen.id from repositories seen join installations seeing on seeing.id = seen.installation_id
        where ${isVisibleInstallation(sight, sql.fragment`seeing`)})`

/**
 * The same where nothing else leaves out what is gone: a repository that was removed, or whose account the app was uninstalled
 * from.
 */
export const isThere = (sight: Sight, repoId: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
  ${isVisible(sight, repoId)} and exists (
    select from repositories there join installations holding on holding.id = there.installation_id
    where there.id = ${repoId} and there.removed_at is null and holding.removed_at is null))`

/** Whether a caller sees a repository, for things looked up by their own id. */
export const seesRepository = (db: Reader, sight: Sight, repoId: number): Promise<boolean> =>
  db.exists(sql.type(nothing)`
    select from repositories r where r.id = ${repoId} and ${isThere(sight, sql.fragment`r.id`)}`)

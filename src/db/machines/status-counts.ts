import { nothing, type Reader, sql } from '../sql.ts'

/** A table of counts by repository and status, its column of numbers, and the table of changes that are still to be added. */
type StatusCounts = { table: string; column: string; changes: string }

/** Folds the changes so far into the counts. Several at once do no harm: each removes what it adds. */
export const foldStatusCounts = async (db: Reader, { table, column, changes }: StatusCounts): Promise<void> => {
  const [counts, number] = [sql.identifier([table]), sql.identifier([column])]
  await db.query(sql.type(nothing)`
    with gone as (delete from ${sql.identifier([changes])} returning installation_id, repo_id, status, change)
    insert into ${counts} as c (installation_id, repo_id, status, ${number})
    select installation_id, repo_id, status, sum(change) from gone group by 1, 2, 3 order by 1, 2, 3
    on conflict (installation_id, repo_id, status) do update set ${number} = c.${number} + excluded.${number}`)
}

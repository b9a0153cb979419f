import { query } from '#dev/own-database.ts'
import type { Place } from '../place.ts'

/** The commit whose graph is the default branch's; undefined before the first merge. */
export const defaultGraphSha = async ({ databaseUrl, hub }: Place): Promise<string | undefined> => {
  const found = await query(
    databaseUrl,
    'select g.sha from repositories r join graphs g on g.id = r.default_graph_id where r.full_name = $1',
    [hub.repository.fullName],
  )
  return (found[0] as { sha: string } | undefined)?.sha
}

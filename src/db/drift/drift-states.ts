import { z } from 'zod'
import { type Reader, sql } from '../sql.ts'

const DriftedRow = z.object({ drifted: z.number() })

/** How many listed stacks have drifted, by their newest checks; removed repositories do not count. */
export const countDriftedStacks = async (db: Reader): Promise<number> => {
  const { drifted } = await db.one(sql.type(DriftedRow)`
    select count(*) as drifted
    from drift_states d join stacks s on s.installation_id = d.installation_id and s.id = d.stack_id
      join repositories r on r.id = d.repo_id join installations i on i.id = r.installation_id
    where d.drifted and s.listed and r.removed_at is null and i.removed_at is null`)
  return drifted
}

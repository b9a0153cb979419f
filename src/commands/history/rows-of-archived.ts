import { buffer } from 'node:stream/consumers'
import type { ArtifactStore } from '#artifacts/port.ts'
import { StoreRefusal } from '#artifacts/port.ts'
import { type ArchivedRun, findArchived } from '#db/history/archived-runs.ts'
import { type RestoredRows, restoreRows } from '#db/history/restored-rows.ts'
import type { Pool } from '#db/sql.ts'
import { Problem } from '#errors.ts'
import { unpackRun } from './packed-run.ts'

/** Connections that read the rows of a run, wherever they are; `archived`: in the bucket, whence they are brought first. */
export type RowsOf = (runId: string) => Promise<{ pool: Pool; archived: boolean }>

type Parts = {
  pool: Pool
  restored: Pick<RestoredRows, 'open'>
  artifacts: ArtifactStore | undefined
}

/** Of a service that archives nothing: all rows are in the tables. */
export const rowsInTables = (pool: Pool): RowsOf => {
  const here = { pool, archived: false }
  return async () => here
}

export const createRowsOf = ({ pool, restored, artifacts }: Parts): RowsOf => {
  const here = rowsInTables(pool)
  return async (runId) => {
    const found = await findArchived(pool, runId)
    if (!found) return here(runId)
    await restoreRows(pool, runId, () => readArchived(artifacts, found))
    return { pool: await restored.open(), archived: true }
  }
}

const readArchived = async (artifacts: ArtifactStore | undefined, run: ArchivedRun) => {
  const what = `the archive of run ${run.run_id}`
  if (!artifacts)
    throw new Problem('unavailable', `${what} cannot be read: the service has no artifact bucket any more`)
  const object = await artifacts.get(run.url, undefined, run).catch((cause) => {
    throw cause instanceof StoreRefusal
      ? new Problem(
          'internal',
          `the artifact bucket refused the read of ${what}: the log of the service has the details`,
          {
            cause,
          },
        )
      : new Problem('unavailable', `${what} cannot be read: the artifact bucket cannot be reached, try again`, {
          cause,
        })
  })
  if (!object) throw new Problem('not_found', `${what} is not in the artifact bucket any more`)
  const body = await buffer(object.body)
  return () => unpackRun(body, run)
}

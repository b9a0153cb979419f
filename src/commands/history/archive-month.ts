import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import type { ArtifactStore } from '#artifacts/port.ts'
import { beginMonth, dropMonth, noteIndex } from '#db/history/archived-months.ts'
import {
  type ArchivedRun,
  archivedRuns,
  countArchived,
  forgetMiscounted,
  noteArchived,
  runsToArchive,
} from '#db/history/archived-runs.ts'
import { historyTableNames } from '#db/history/history-tables.ts'
import { countRows, runOfRowsLeft } from '#db/history/rows-of-run.ts'
import { transact } from '#db/transact.ts'
import { lowestId } from '#portions.ts'
import type { Deps } from '../deps.ts'
import { checkPacked, type PackedRun, packRun } from './packed-run.ts'

export type ArchiveDeps = Pick<Deps, 'pool' | 'clock' | 'log' | 'pause'> & {
  artifacts: ArtifactStore
  signal: AbortSignal
}

/** `goes on`: later, since time was up or something has changed meanwhile; `waits`: until somebody has looked. */
type Outcome = 'done' | 'goes on' | 'waits'

/** Of one object: it is in memory while it is written and read back. A run that is larger has an object of its own. */
const most = { bytes: 8 * 1024 * 1024, runs: 500 }

const type = 'application/gzip'

/**
 * Moves a month to the bucket: its runs, many to an object; then the list of them; then, if all of it is there, the tables lose it.
 * Each object is read back before it is noted, and the notes say how far it came: done again, it goes on from there.
 */
export const archiveMonth = async (deps: ArchiveDeps, month: string, isTimeUp: () => boolean): Promise<Outcome> => {
  const { pool, log } = deps
  await beginMonth(pool, month)
  if (!(await writeRuns(deps, month, isTimeUp))) return 'goes on'
  const changed = await forgetMiscounted(pool, month)
  if (changed > 0) {
    log.info({ month, runs: changed }, 'runs have changed since they were archived: they are written again')
    return 'goes on'
  }
  const [here, there] = [await countRows(pool, month), await countArchived(pool, month)]
  if (historyTableNames.some((table) => here[table] !== there[table])) {
    const example = await runOfRowsLeft(pool, month)
    log.warn({ month, here, archived: there, example }, 'a month is not dropped: it has rows that no archive has')
    return 'waits'
  }
  await writeIndex(deps, month)
  const { kept } = await dropMonth(pool, month)
  if (kept === 0) log.info({ month, rows: here }, 'a month is in the bucket, and no longer in the database')
  return kept === 0 ? 'done' : 'goes on'
}

/** False if time was up before all were written. */
const writeRuns = async (deps: ArchiveDeps, month: string, isTimeUp: () => boolean): Promise<boolean> => {
  for (let after = lowestId; ; ) {
    const runs = await runsToArchive(deps.pool, { month, after, limit: most.runs })
    const last = runs.at(-1)
    if (!last) return true
    let packed: { run: (typeof runs)[number]; part: PackedRun }[] = []
    let size = 0
    for (const run of runs) {
      deps.signal.throwIfAborted()
      const part = await packRun(deps.pool, run.id)
      packed.push({ run, part })
      size += part.body.length
      if (size < most.bytes && run !== last) continue
      await writeObject(deps, month, packed)
      if (isTimeUp()) return false
      packed = []
      size = 0
    }
    after = last.id
  }
}

/** Named by what is in it: whoever writes another never writes over it. */
const writeObject = async (
  { pool, artifacts, signal }: ArchiveDeps,
  month: string,
  packed: readonly { run: { id: string; rev: number }; part: PackedRun }[],
): Promise<void> => {
  const body = Buffer.concat(packed.map(({ part }) => part.body))
  const name = `history/${month}/${createHash('sha256').update(body).digest('hex').slice(0, 32)}.ndjson.gz`
  await artifacts.put(name, { body, contentType: type }, signal)
  const url = artifacts.locate(name)
  const back = await readBack(artifacts, url, signal)
  let start = 0
  const runs: ArchivedRun[] = []
  for (const { run, part } of packed) {
    const { hash, rows } = part
    const bytes = part.body.length
    await checkPacked(back.subarray(start, start + bytes), part)
    runs.push({ run_id: run.id, rev: run.rev, url, start, bytes, hash, rows })
    start += bytes
  }
  await transact(pool, (tx) => noteArchived(tx, runs))
}

const readBack = async (artifacts: ArtifactStore, url: string, signal: AbortSignal): Promise<Buffer> => {
  const object = await artifacts.get(url, signal)
  if (!object) throw new Error(`${url} was written, and is not there`)
  return buffer(object.body)
}

/** Who has the bucket alone finds each run by it. */
const writeIndex = async ({ pool, artifacts, signal }: ArchiveDeps, month: string): Promise<void> => {
  const parts: Buffer[] = []
  for (let after = lowestId; ; ) {
    const runs = await archivedRuns(pool, { month, after, limit: 1000 })
    const last = runs.at(-1)
    if (!last) break
    parts.push(gzipSync(runs.map((run) => `${JSON.stringify(run)}\n`).join('')))
    after = last.run_id
  }
  const body = Buffer.concat(parts)
  const name = `history/${month}/index.ndjson.gz`
  await artifacts.put(name, { body, contentType: type }, signal)
  const url = artifacts.locate(name)
  if (!(await readBack(artifacts, url, signal)).equals(body)) throw new Error(`${url} is not what was written`)
  await noteIndex(pool, month, url)
}

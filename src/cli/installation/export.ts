import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { atOneMoment, monthsOf, movedRows } from '#db/moving/moved-rows.ts'
import { movedTableNames } from '#db/moving/moved-tables.ts'
import { type NamedInstallation, pauseInstallation, resumeInstallation } from '#db/moving/moving-installation.ts'
import { ownMigration } from '#db/moving/schema-version.ts'
import { underWay } from '#db/moving/under-way.ts'
import type { Pool, Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { createTally, type Ending, format, type Header, type Tally } from './file-format.ts'
import { openOutput } from './output-file.ts'

export type Exporting = {
  pool: Pool
  installation: NamedInstallation
  /** `-` for the standard output. */
  file: string
  progress(text: string): void
  /** Waits for what was let in before the pause. */
  settle(): Promise<void>
}

/** Requests that were let in end within seconds: what they wait for the longest is a lock, for 5 s. */
export const settleMs = 10_000

/**
 * Pauses an installation and writes all that belongs to it to a file. Rejects if something of it is under way, or if the database is of
 * another version; then, and after any other failure, it is as it was. Once it has resolved the installation stays paused.
 */
export const exportInstallation = async (exporting: Exporting): Promise<Ending> => {
  const { pool, installation, file, progress, settle } = exporting
  await ownMigration(pool)
  await refuseBusy(pool, installation)
  const output = openOutput(file, process.stdout)
  try {
    await pauseInstallation(pool, installation.id)
    if (!installation.paused) {
      progress(`${installation.account_login} is paused; requests that were let in before are waited for`)
      await settle()
    }
    const ending = await atOneMoment(pool, async (tx) => {
      await refuseBusy(tx, installation)
      const tally = createTally()
      // its first bytes are worth the most: twice as quick as the usual level, and a fifth larger
      const zip = createGzip({ level: 2 })
      await pipeline(Readable.from(linesOfFile(tx, exporting, tally)), zip, output.stream)
      return tally.ending()
    })
    await output.done()
    return ending
  } catch (error) {
    await output.forget()
    if (!installation.paused)
      await transact(pool, (tx) => resumeInstallation(tx, installation.id)).catch(() =>
        progress(
          `${installation.account_login} stays paused: svc-server installation resume ${installation.id} ends that`,
        ),
      )
    throw error
  }
}

const refuseBusy = async (db: Pool | Tx, { id, account_login }: NamedInstallation): Promise<void> => {
  const busy = await underWay(db, id)
  if (busy.length === 0) return
  const list = busy.map(({ what, count, example }) => `${what}: ${count} (${example})`)
  throw new Error(`${account_login} cannot be moved now. ${list.join('; ')}. Try again once that is over`)
}

async function* linesOfFile(tx: Tx, { installation, progress }: Exporting, tally: Tally): AsyncGenerator<string> {
  const header: Header = {
    svc_installation: format,
    schema: await ownMigration(tx),
    installation: { id: installation.id, account_id: installation.account_id, account: installation.account_login },
    months: await monthsOf(tx, installation.id),
    exported_at: new Date().toISOString(),
  }
  const written = (text: string): string => {
    tally.addText(text)
    return text
  }
  yield written(`${JSON.stringify(header)}\n`)
  for (const table of movedTableNames) {
    let rows = 0
    for await (const lines of movedRows(tx, table, installation.id)) {
      yield written(`${lines.join('\n')}\n`)
      rows += lines.length
    }
    tally.addRows(table, rows)
    if (rows > 0) progress(`${table}: ${rows} rows`)
  }
  yield `${JSON.stringify(tally.ending())}\n`
}

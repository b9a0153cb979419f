import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { databaseTrouble } from '#db/database-trouble.ts'
import { historyTableNames } from '#db/history/history-tables.ts'
import { makePartition } from '#db/history/partitions.ts'
import { isMovedTable, type TableName } from '#db/moving/moved-tables.ts'
import { awaitCodeHost, clearInstallation, type Place, placeOf } from '#db/moving/moving-installation.ts'
import { advanceNumbers, allOrNothing, createPutRows, type PutRows } from '#db/moving/put-rows.ts'
import { RefusedRows } from '#db/moving/refused-rows.ts'
import { ownMigration } from '#db/moving/schema-version.ts'
import type { Pool, Tx } from '#db/sql.ts'
import { linesOf } from '#lines.ts'
import { createTally, Ending, Header, readRow } from './file-format.ts'

type Importing = {
  pool: Pool
  /** `-` for the standard input. */
  file: string
  progress(text: string): void
}

export type Imported = {
  header: Header
  rows: Ending['rows']
  /** The app is installed here already. */
  known: boolean
}

/** The file is not whole, or not one of ours. */
class BadFile extends Error {}

/**
 * Reads an installation from a file into a service that has no past of it. In one transaction: whatever goes wrong, and if the process is
 * killed, nothing of it is there. Rejects if the file is not whole, is of another version, or has what is there already.
 */
export const importInstallation = async (importing: Importing): Promise<Imported> => {
  const { file } = importing
  const source = file === '-' ? process.stdin : createReadStream(file)
  let imported: Imported | undefined
  try {
    await pipeline(source, createGunzip(), async (pieces: AsyncIterable<Uint8Array>) => {
      imported = await importLines(linesOf(pieces), importing)
    })
  } catch (error) {
    throw told(error, file)
  }
  if (!imported) throw new Error(`${file} was not read`)
  return imported
}

const importLines = async (lines: AsyncGenerator<string>, { pool, progress }: Importing): Promise<Imported> => {
  const first = await lines.next()
  const header = readHeader(first.done ? '' : first.value)
  await refuseOther(pool, header)
  await makeMonths(pool, header.months, progress)
  return allOrNothing(pool, async (tx) => {
    const place = await freePlace(tx, header)
    if (place.known) await clearInstallation(tx, place.id)
    const put = createPutRows(tx, { from: header.installation.id, to: place.id })
    const rows = await putLines(place.known ? butInstallation(put) : put, `${first.value}\n`, lines, progress)
    await advanceNumbers(tx, place.id)
    await awaitCodeHost(tx, place)
    return { header, rows, known: place.known }
  })
}

const readHeader = (line: string): Header => {
  const read = Header.safeParse(jsonOf(line))
  if (read.success) return read.data
  throw new BadFile(`its first line does not say that it is an installation: ${read.error.issues[0]?.message}`)
}

const jsonOf = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const refuseOther = async (pool: Pool, { schema }: Header): Promise<void> => {
  const own = await ownMigration(pool)
  if (schema !== own)
    throw new Error(
      `the file has the schema ${schema}, this service ${own}: run the same version of both services, and export again`,
    )
}

const freePlace = async (tx: Tx, { installation }: Header): Promise<Place> => {
  const place = await placeOf(tx, installation)
  if (place.used)
    throw new Error(`installation ${place.id} of ${installation.account} is there already, with stacks or runs`)
  return place
}

/** The service has read from the code host whose the installation is. */
const butInstallation =
  (put: PutRows): PutRows =>
  (table, rows) =>
    table === 'installations' ? Promise.resolve(rows.length) : put(table, rows)

/** Before the rows come, or they would be moved a second time. A table in use is left to the service, which makes its months later. */
const makeMonths = async (pool: Pool, months: readonly string[], progress: Importing['progress']): Promise<void> => {
  for (const month of months)
    for (const table of historyTableNames)
      await makePartition(pool, table, month).catch((error) => {
        if (databaseTrouble(error) !== 'held') throw error
        progress(`${table} is in use: the service makes its partition of ${month} later`)
      })
}

/** Of one statement. */
const most = { rows: 1000, characters: 4 * 1024 * 1024 }

/** Writes all rows; throws unless the last line says that these were all. */
const putLines = async (
  put: PutRows,
  first: string,
  lines: AsyncIterable<string>,
  progress: Importing['progress'],
): Promise<Ending['rows']> => {
  const tally = createTally()
  tally.addText(first)
  let portion = { table: undefined as TableName | undefined, rows: [] as string[], characters: 0 }
  const putPortion = async (next?: TableName) => {
    const { table, rows } = portion
    portion = { table: next, rows: [], characters: 0 }
    if (table === undefined || rows.length === 0) return
    const written = await put(table, rows)
    if (written !== rows.length) throw new BadFile(`it has rows of ${table} that are of another installation`)
    tally.addRows(table, rows.length)
    if (table !== next) progress(`${table}: ${tally.ending().rows[table]} rows`)
  }
  let ending: Ending | undefined
  for await (const line of lines) {
    if (ending) throw new BadFile('it goes on after its last line')
    const read = readRow(line)
    if (!read) {
      await putPortion()
      ending = readEnding(line)
      continue
    }
    const { table, row } = read
    if (!isMovedTable(table)) throw new BadFile(`it has rows of ${table}, which does not move`)
    if (table !== portion.table || portion.rows.length >= most.rows || portion.characters >= most.characters)
      await putPortion(table)
    portion.rows.push(row)
    portion.characters += row.length
    tally.addText(`${line}\n`)
  }
  if (!ending) throw new BadFile('it is cut off: its last line is missing')
  compare(tally.ending(), ending)
  return ending.rows
}

const readEnding = (line: string): Ending => {
  const read = Ending.safeParse(jsonOf(line))
  if (!read.success) throw new BadFile('it has a line that is no row')
  return read.data
}

const compare = (found: Ending, said: Ending): void => {
  for (const [table, count] of Object.entries(said.rows))
    if (count !== (found.rows[table] ?? 0))
      throw new BadFile(`it has ${found.rows[table] ?? 0} rows of ${table}, and says ${count}`)
  if (found.sha256 !== said.sha256) throw new BadFile('its checksum is not that of its lines')
}

/** The same failure as a sentence for people: a file is told from a database. */
const told = (error: unknown, file: string): unknown => {
  if (!(error instanceof Error)) return error
  const { code } = error as { code?: unknown }
  const isUnpacking = typeof code === 'string' && /^(Z_|ERR_ENCODING_)/.test(code)
  if (error instanceof BadFile || isUnpacking)
    return new Error(`${file} is damaged: ${isUnpacking ? `it cannot be unpacked: ${error.message}` : error.message}`)
  if (!(error instanceof RefusedRows)) return error
  return new Error(error.areThere ? `it is there already: ${error.message}` : `${file} is damaged: ${error.message}`)
}

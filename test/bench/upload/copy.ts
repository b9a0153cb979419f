import type { Client, Connection, Submittable } from 'pg'

/** What pg calls while a COPY is under way; its own types end before this. */
type Copying = Submittable & Record<`handle${string}`, (...message: never[]) => void>

type Port = Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }

const copying = (
  client: Client,
  text: string,
  more: (chunks: Buffer[]) => Record<`handle${string}`, (...message: never[]) => void>,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const copy: Copying = {
      submit: (connection: Connection) => connection.query(text),
      handleCommandComplete: () => {},
      handleReadyForQuery: () => resolve(Buffer.concat(chunks)),
      handleError: (error: Error) => reject(error),
      ...more(chunks),
    }
    client.query(copy)
  })

/** The rows of a query, as COPY writes them. */
export const copyOut = (client: Client, query: string): Promise<Buffer> =>
  copying(client, `copy (${query}) to stdout`, (chunks) => ({
    handleCopyData: ({ chunk }: { chunk: Buffer }) => void chunks.push(Buffer.from(chunk)),
  }))

/** Adds such rows to a table. */
export const copyIn = (client: Client, table: string, rows: Buffer): Promise<unknown> =>
  copying(client, `copy ${table} from stdin`, () => ({
    handleCopyInResponse: (connection: Port) => {
      connection.sendCopyFromChunk(rows)
      connection.endCopyFrom()
    },
  }))

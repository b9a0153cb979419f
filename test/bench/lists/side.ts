import { createHash, randomUUID } from 'node:crypto'
import { systemClock } from '#clock.ts'
import { createGitHubPages } from '#codehost/github/pages.ts'
import { rowsInTables } from '#commands/history/rows-of-archived.ts'
import { createResolver } from '#commands/resolving/resolver.ts'
import { addApiKey } from '#db/people/api-keys.ts'
import { createPool } from '#db/pool.ts'
import { createReads } from '#db/replica/reads.ts'
import { createRepositoryLookUp } from '#db/repositories/repository-look-up.ts'
import { freePort } from '#dev/postgres/cluster.ts'
import type { Sizes } from '#dev/seed/sizes.ts'
import { seed } from '#dev/seed.ts'
import { buildServer } from '#http/server.ts'
import type { BuiltUi } from '#http/ui/built-files.ts'
import { createLog } from '#log.ts'
import { createMetrics } from '#metrics.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { signIn, withQuery } from '#test/helpers/lists.ts'
import { benchDatabase } from '../machine/database.ts'

/** The service over a history of a given size, and how to ask it. */
export type Side = {
  url: string
  /** Of a person who sees the first ten repositories. */
  cookie: string
  get(path: string, by: 'automation' | 'person'): Promise<Page>
  /** The cursor of the page in a list's middle, or of one 50,000 items down: at its end there is little left to look through. */
  deep(path: string): Promise<string | undefined>
  stop(): Promise<void>
}

export type Page = { items: unknown[]; next_cursor?: string }

const sessionKey = Buffer.alloc(32)

export const startSide = async (
  name: string,
  sizes: Sizes,
  progress: (text: string) => void,
  ui?: BuiltUi,
): Promise<Side> => {
  const database = await benchDatabase(name)
  await seed(database.url, sizes, (text) => progress(`${name}: ${text}`))
  const log = createLog({ level: 'error', format: 'text' })
  const pool = await createPool(database.url, { log })
  const metrics = createMetrics({ version: '0', commit: '0' })
  const resolver = createResolver()
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const commands = {
    ...{ pool, log, metrics, baseUrl, clock: systemClock, pause: async () => {}, codehost: {} as never },
    pages: createGitHubPages('https://codehost.example'),
    ...{ runtime: createRuntime({ pool, clock: systemClock }), resolver },
    reads: createReads(pool, undefined, () => false),
    rowsOf: rowsInTables(pool),
    findRepository: createRepositoryLookUp(pool),
  }
  const app = buildServer({
    ...{ build: { version: '0', commit: '0' }, baseUrl, pool, log, clock: systemClock, metrics, sessionKey, ui },
    metricsToken: undefined,
    setup: { apiUrl: '', webUrl: '', allowResetup: false, convert: () => Promise.reject(new Error('not here')) },
    service: {
      ...{ commands, webhookSecret: 'hush', signIn: undefined },
      verifyToken: () => Promise.reject(new Error('no jobs here')),
    },
  })
  await app.listen({ port, host: '127.0.0.1' })
  const key = `sk_${randomUUID()}`
  const hash = createHash('sha256').update(key).digest('hex')
  await addApiKey(pool, { name: 'bench', key_hash: hash, prefix: key.slice(0, 10), created_by: 'bench' })
  const cookie = await signIn(pool, sessionKey, [1])
  const get: Side['get'] = async (path, by) => {
    const who = by === 'person' ? { cookie } : { authorization: `Bearer ${key}` }
    // the page itself is measured: to compress its 31 KB to 5 takes another 0.9 ms, of both ends, where a client asks for it
    const response = await fetch(`${baseUrl}${path}`, { headers: { ...who, 'accept-encoding': 'identity' } })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Page
  }
  const after = async (path: string, limit: number): Promise<string | undefined> => {
    const cursors: string[] = []
    while (cursors.length < deepPages) {
      const { next_cursor } = await get(withQuery(path, { limit, cursor: cursors.at(-1) }), 'automation')
      if (next_cursor === undefined) return cursors[Math.floor(cursors.length / 2) - 1]
      cursors.push(next_cursor)
    }
    return cursors.at(-1)
  }
  return {
    ...{ url: baseUrl, cookie, get },
    deep: async (path) => (await after(path, 500)) ?? after(path, 50),
    stop: async () => {
      await app.close()
      await resolver.stop()
      await pool.end()
      await database.stop()
    },
  }
}

/** So far down that a query which counts its way there shows. */
const deepPages = 100

import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { query } from '../own-database.ts'

/** Makes an API key as an operator does: a row in the table of keys (docs/interface.md, 'API keys'). */
export const addApiKey = async (database: string): Promise<string> => {
  const key = `sk_${randomBytes(24).toString('base64url')}`
  const hash = createHash('sha256').update(key).digest('hex')
  await query(database, 'insert into api_keys (name, key_hash, prefix, created_by) values ($1, $2, $3, $4)', [
    'demo',
    hash,
    key.slice(0, 10),
    'npm run demo',
  ])
  return key
}

/**
 * Waits until the service has read from the code host that its app is installed on the repository: it refuses jobs before
 * that.
 */
export const repositoryKnown = async (database: string, fullName: string): Promise<void> => {
  const deadline = Date.now() + 20_000
  while ((await query(database, 'select 1 from repositories where full_name = $1', [fullName])).length === 0) {
    if (Date.now() > deadline) throw new Error(`the service did not learn of ${fullName} within 20 s`)
    await wait(25)
  }
}

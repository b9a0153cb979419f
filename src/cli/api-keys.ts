import { createHash, randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import { type ApiKeyRow, addApiKey, listApiKeys, revokeApiKey } from '#db/people/api-keys.ts'
import type { Pool } from '#db/sql.ts'
import type { Answer } from './answer.ts'
import type { Command } from './command-line.ts'

type KeyCommand = Extract<Command, { kind: `key-${string}` }>

/**
 * Carries out `svc-server api-key …`. No endpoint makes keys (docs/interface.md, 'API keys'): write access to the database
 * allows it. Standard output has what a script needs, standard error what else a person should know.
 */
export const answerKeyCommand = (pool: Pool, command: KeyCommand): Promise<Answer> => {
  switch (command.kind) {
    case 'key-create':
      return create(pool, command)
    case 'key-list':
      return list(pool, command)
    case 'key-revoke':
      return revoke(pool, command)
  }
}

const longestName = 64

/** The audit log shows the name after `apikey:`, and command lines hold it. It must not look like an id: revoke takes either. */
const nameProblem = (name: string): string | undefined => {
  if (name === '') return '--name: must not be empty'
  if (name.length > longestName) return `--name: is ${name.length} characters long, but ${longestName} is the most`
  if (/^[0-9a-f]{8}-/i.test(name)) return `--name: '${name}' looks like the id of a key, which revoke takes too`
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) return undefined
  return `--name: '${name}' must begin with a letter or digit and hold only letters, digits, '.', '_' and '-'`
}

const create = async (pool: Pool, { name, json }: { name: string; json: boolean }): Promise<Answer> => {
  const problem = nameProblem(name)
  if (problem !== undefined) return refused(problem)
  const key = `sk_${randomBytes(32).toString('base64url')}`
  const row = await addApiKey(pool, {
    name,
    key_hash: createHash('sha256').update(key).digest('hex'),
    prefix: key.slice(0, 10),
    created_by: `cli:${userInfo().username}`,
  })
  if (!row) return refused(`there is a key ${name} in use: revoke it first, or give the new one another name`)
  if (json) return { out: jsonText({ ...shown(row), key }), status: 0 }
  return { out: `${key}\n`, note: 'Keep it now: only its hash is stored, it is never shown again.', status: 0 }
}

const list = async (pool: Pool, { json }: { json: boolean }): Promise<Answer> => {
  const rows = await listApiKeys(pool)
  if (json) return { out: jsonText(rows.map(shown)), status: 0 }
  if (rows.length === 0) return { out: '', note: 'There are no keys.', status: 0 }
  const head = ['NAME', 'PREFIX', 'CREATED', 'LAST USED', 'STATE', 'ID']
  const lines = rows.map((row) => [
    row.name,
    `${row.prefix}…`,
    day(row.created_at),
    row.last_used_at ? day(row.last_used_at) : 'never',
    row.revoked_at ? `revoked ${day(row.revoked_at)}` : 'in use',
    row.id,
  ])
  return { out: table([head, ...lines]), status: 0 }
}

const revoke = async (pool: Pool, { key, json }: { key: string; json: boolean }): Promise<Answer> => {
  const rows = await listApiKeys(pool)
  const byId = rows.filter((row) => row.id === key.toLowerCase())
  // if a name was used before, the keys still in use are meant
  const named = rows.filter((row) => row.name === key)
  const inUse = named.filter((row) => row.revoked_at === null)
  const [meant, ...others] = byId.length > 0 ? byId : inUse.length > 0 ? inUse : named
  if (!meant) return refused(`there is no key ${key}: svc-server api-key list shows the keys that exist`)
  if (others.length > 0 && inUse.length > 0) {
    return refused(
      `several keys in use are called ${key}: give the id of one of ${inUse.map(({ id }) => id).join(', ')}`,
    )
  }
  await revokeApiKey(pool, meant.id)
  const after = (await listApiKeys(pool)).find((row) => row.id === meant.id) ?? meant
  if (json) return { out: jsonText(shown(after)), status: 0 }
  const was = meant.revoked_at === null ? 'is revoked' : `was revoked on ${day(meant.revoked_at)}`
  return { out: `${meant.name} (${meant.prefix}…) ${was}\n`, status: 0 }
}

const refused = (note: string): Answer => ({ out: '', note: `svc-server: ${note}`, status: 1 })

const shown = (row: ApiKeyRow) => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  ...(row.last_used_at ? { last_used_at: row.last_used_at.toISOString() } : {}),
  ...(row.revoked_at ? { revoked_at: row.revoked_at.toISOString() } : {}),
})

const jsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

const day = (date: Date): string => date.toISOString().slice(0, 10)

/** Columns as wide as their widest cell, for a terminal. */
const table = (rows: string[][]): string => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

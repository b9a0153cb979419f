import { z } from 'zod'
import { withIds } from '#ids.ts'
import { inPortions, portionsOf } from '#portions.ts'
import { jsonRows, type Reader, sql, type Tx } from '../sql.ts'
import { ofRepository, within } from '../tenant.ts'

const StackId = z.object({ id: z.string(), key: z.string() })

/** By key. */
export type StackIds = ReadonlyMap<string, string>

/** The ids of stacks by key, created for new stacks: a stack that comes back keeps its id. A key may come twice. */
export const ensureStacks = async (
  tx: Tx,
  repoId: number,
  keys: readonly string[],
  known: StackIds = new Map(),
): Promise<StackIds> => {
  const unknown = [...new Set(await inPortions(keys, (portion) => portion.filter((key) => !known.has(key))))]
  if (unknown.length === 0) return known
  const ids = new Map([...known, ...(await findStackIds(tx, repoId, unknown))])
  // in one order for all portions: two transactions that add the same stacks must not wait for each other
  for (const portion of portionsOf(unknown.filter((key) => !ids.has(key)).sort())) {
    for (const { id, key } of await addStacks(tx, repoId, portion)) ids.set(key, id)
    const madeByOthers = portion.filter((key) => !ids.has(key))
    for (const [key, id] of await findStackIds(tx, repoId, madeByOthers)) ids.set(key, id)
  }
  return ids
}

/** The ids of those stacks that are there. */
export const findStackIds = async (tx: Tx, repoId: number, keys: readonly string[]): Promise<Map<string, string>> => {
  const ids = new Map<string, string>()
  for (const portion of portionsOf(keys)) {
    const rows = await tx.any(sql.type(StackId)`
      select id, key from stacks
      where installation_id = ${ofRepository(tx, repoId)} and repo_id = ${repoId} and key = any(${sql.array(portion, 'text')})`)
    for (const { id, key } of rows) ids.set(key, id)
  }
  return ids
}

const addStacks = (tx: Tx, repoId: number, keys: string[]): Promise<readonly z.infer<typeof StackId>[]> =>
  tx.any(sql.type(StackId)`
    with added as (
      insert into stacks (installation_id, id, repo_id, key)
      select ${ofRepository(tx, repoId)}, id, ${repoId}, key
      from jsonb_to_recordset(${jsonRows(withIds(keys.map((key) => ({ key }))))}) as t(id uuid, key text) order by key collate "C"
      on conflict (installation_id, repo_id, key) do nothing returning installation_id, id, repo_id, key
    ), standing as (
      insert into stack_standings (installation_id, stack_id, repo_id) select installation_id, id, repo_id from added)
    select id, key from added`)

const StackRow = z.object({ id: z.string(), repo_id: z.number(), key: z.string() })

/** A stack of a repository: it keeps its id, history and lock whether or not the default branch still has it. */
export type StackRow = z.infer<typeof StackRow>

export const findStack = async (db: Reader, id: string): Promise<StackRow | undefined> =>
  (await db.maybeOne(sql.type(StackRow)`
    select id, repo_id, key from stacks where ${within(db, sql.fragment`stacks`)} and id = ${id}`)) ?? undefined

export const findStackOfRepository = async (db: Reader, repoId: number, key: string): Promise<StackRow | undefined> =>
  (await db.maybeOne(sql.type(StackRow)`
    select id, repo_id, key from stacks where installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId} and key = ${key}`)) ??
  undefined

export const keysOfStacks = async (db: Reader, ids: string[]): Promise<string[]> => {
  const rows = await db.any(sql.type(StackId)`
    select id, key from stacks where ${within(db, sql.fragment`stacks`)} and id = any(${sql.array(ids, 'uuid')}) order by key`)
  return rows.map((row) => row.key)
}

import { z } from 'zod'
import type { ModuleFamily, ModuleUse } from '#domain/graph/module-use.ts'
import { withIds } from '#ids.ts'
import { portionsOf } from '#portions.ts'
import { jsonRows, nothing, type Reader, sql, type Tx } from '../sql.ts'
import { ofRepository } from '../tenant.ts'
import { namesOf, repositoriesNamed } from './repository-names.ts'

const Id = z.object({ id: z.string(), key: z.string() })

/** In the same order for every repository, whose families may be the same: so no two of them wait for each other. */
const byKey = (a: { key: string }, b: { key: string }): number => (a.key < b.key ? -1 : 1)

/**
 * Records families and returns their ids by key. Known families stay: another repository's graph must not change the kind or
 * the source of a key. Only the repository itself may, by saying that its own module is local.
 */
const putFamilies = async (tx: Tx, repoId: number, families: readonly ModuleFamily[]): Promise<Map<string, string>> => {
  const ids = new Map<string, string>()
  for (const portion of portionsOf(families.toSorted(byKey))) {
    const rows = await tx.any(sql.type(Id)`
      insert into modules (installation_id, id, key, kind, source, repo_name, path)
      select ${ofRepository(tx, repoId)}, id, key, kind, source, repo, path
      from jsonb_to_recordset(${jsonRows(withIds(portion))})
        as t(id uuid, key text, kind text, source text, repo text, path text)
      order by key collate "C"
      on conflict (installation_id, key) do update set
        kind = case when excluded.kind = 'local' then 'local' else modules.kind end,
        source = coalesce(modules.source, excluded.source)
      returning id, key`)
    for (const { id, key } of rows) ids.set(key, id)
  }
  return ids
}

/** Gives `key@ref` of each used ref its own id, which leads to the family. */
const putPins = async (
  tx: Tx,
  repoId: number,
  uses: readonly ModuleUse[],
  ids: ReadonlyMap<string, string>,
): Promise<void> => {
  const pins = new Map(
    uses.flatMap(({ family, ref }) => (ref === '' ? [] : [[`${family}@${ref}`, ids.get(family)] as const])),
  )
  const rows = [...pins].map(([key, family]) => ({ key, family })).sort(byKey)
  for (const portion of portionsOf(rows))
    await tx.query(sql.type(nothing)`
      insert into modules (installation_id, id, key, kind, family_id)
      select f.installation_id, t.id, t.key, f.kind, f.id
      from jsonb_to_recordset(${jsonRows(withIds(portion))}) as t(id uuid, key text, family uuid)
      join modules f on f.installation_id = ${ofRepository(tx, repoId)} and f.id = t.family
      order by t.key collate "C" on conflict (installation_id, key) do nothing`)
}

/** Replaces the modules of a repository's listed graph, and their uses, with those given. */
export const putModulesOfRepository = async (
  tx: Tx,
  repoId: number,
  { families, uses }: { families: readonly ModuleFamily[]; uses: readonly ModuleUse[] },
): Promise<void> => {
  const ids = await putFamilies(tx, repoId, families)
  await putPins(tx, repoId, uses, ids)
  await tx.query(sql.type(nothing)`
    delete from module_listings where installation_id = ${ofRepository(tx, repoId)} and repo_id = ${repoId}`)
  await tx.query(sql.type(nothing)`
    delete from module_consumers where installation_id = ${ofRepository(tx, repoId)} and repo_id = ${repoId}`)
  const listed = sql.array([...ids.values()], 'uuid')
  await tx.query(sql.type(nothing)`
    insert into module_listings (installation_id, module_id, repo_id) select ${ofRepository(tx, repoId)}, id, ${repoId}
      from unnest(${listed}) as t(id)`)
  const rows = uses.map(({ family, ...use }) => ({ ...use, module: ids.get(family) }))
  for (const portion of portionsOf(rows))
    await tx.query(sql.type(nothing)`
      insert into module_consumers (installation_id, module_id, stack_id, repo_id, ref, precedence)
      select s.installation_id, t.module, s.id, ${repoId}, t.ref, t.precedence
      from jsonb_to_recordset(${jsonRows(portion)}) as t(stack text, module uuid, ref text, precedence text)
      cross join lateral (select installation_id, id from stacks
        where installation_id = ${ofRepository(tx, repoId)} and repo_id = ${repoId} and key = t.stack limit 1) s`)
}

const Home = z.object({ id: z.number(), read: z.boolean() })

/** The home repositories of families with these keys, if known here and not gone, and whether their tags were read. */
export const homesOfModules = (
  db: Reader,
  repoId: number,
  keys: readonly string[],
): Promise<readonly z.infer<typeof Home>[]> =>
  db.any(sql.type(Home)`
    select distinct r.id, r.tags_read_at is not null as read
    from modules m cross join lateral ${repositoriesNamed(sql.fragment`lower(m.repo_name)`)} as home
    join repositories r on r.id = home.id and r.removed_at is null
    where m.installation_id = ${ofRepository(db, repoId)} and m.family_id is null and m.key = any(${sql.array([...keys], 'text')})
    order by r.id`)

const IdRow = z.object({ id: z.number() })

/**
 * Every home repository of a family, if known here and not gone. Starts from the families: asked for each repository, Postgres
 * walks over all families every time (20,000 of both: over 30 s, and 0.2 s this way).
 */
export const allHomes = async (db: Reader): Promise<number[]> => {
  const rows = await db.any(sql.type(IdRow)`
    select distinct r.id
    from (select distinct lower(repo_name) as name from modules where family_id is null and repo_name is not null) m
    cross join lateral ${repositoriesNamed(sql.fragment`m.name`)} as home
    join repositories r on r.id = home.id and r.removed_at is null
    order by r.id`)
  return rows.map(({ id }) => id)
}

const HomedModule = z.object({ id: z.string(), path: z.string() })

/** Families whose home is a repository, of all installations that use them. */
export const modulesAtHome = (db: Reader, repoId: number): Promise<readonly z.infer<typeof HomedModule>[]> =>
  db.any(sql.type(HomedModule)`
    select m.id, m.path
    from repositories r cross join lateral ${namesOf(sql.fragment`r`)} as n
    join modules m on lower(m.repo_name) = n.name and m.family_id is null
    where r.id = ${repoId} order by m.id`)

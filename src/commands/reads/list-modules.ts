import { z } from 'zod'
import type { PersonOrKey } from '#commands/callers/caller.ts'
import { sightOf } from '#commands/callers/person.ts'
import { CursorText, limitOf, type PageRequest, pageOf, readCursor } from '#commands/shapes/page.ts'
import { present } from '#commands/shapes/shape-run.ts'
import {
  type ConsumerCounts,
  type ConsumerView,
  consumersOfModules,
  countModules,
  countsOfConsumers,
  findModuleView,
  type ModuleView,
  moduleViews,
  versionsOfModule,
} from '#db/views/module-view.ts'
import type { Sight } from '#db/visibility.ts'
import { Problem } from '#errors.ts'
import type { Deps } from '../deps.ts'

type ModuleDeps = Pick<Deps, 'pool'>

const Key = z.tuple([z.literal('modules'), CursorText])

/**
 * Modules by key, with their consumers (docs/interface.md, 'GET /v1/modules'). A cursor is the key of a module on its page, and so never of one
 * that the caller may not see.
 */
export const listModules = async (
  { pool }: ModuleDeps,
  caller: PersonOrKey,
  asked: PageRequest & { q?: string | undefined; consumers?: 'none' | undefined },
) => {
  const limit = limitOf(asked)
  const after = readCursor(asked.cursor, Key)?.[1]
  const sight = sightOf(caller)
  const rows = await moduleViews(pool, { sight, q: asked.q, after, limit: limit + 1 })
  const page = pageOf(rows, limit, { keyOf: ({ key }) => ['modules', key], shape: (row) => row })
  // the total counts modules that a person may not see: only administrators get it
  const total = caller.kind === 'key' ? await countModules(pool, asked.q) : 0
  const items = await (asked.consumers === 'none' ? withCounts : withConsumers)(pool, sight, page.items)
  return { ...page, items, ...(total > 0 ? { total } : {}) }
}

const idsOf = (rows: readonly ModuleView[]): string[] => rows.map(({ id }) => id)

const withConsumers = async (pool: ModuleDeps['pool'], sight: Sight, rows: readonly ModuleView[]) => {
  if (rows.length === 0) return []
  const consumers = Map.groupBy(await consumersOfModules(pool, sight, idsOf(rows)), ({ module_id: id }) => id)
  return rows.map((row) => shapeModule(row, consumers.get(row.id) ?? []))
}

const withCounts = async (pool: ModuleDeps['pool'], sight: Sight, rows: readonly ModuleView[]) => {
  if (rows.length === 0) return []
  const counts = new Map((await countsOfConsumers(pool, sight, idsOf(rows))).map((one) => [one.module_id, one]))
  return rows.map((row) => ({ ...shapeModule(row, []), counts: shapeCounts(counts.get(row.id)) }))
}

const shapeCounts = ({ stacks = 0, repositories = 0, behind = 0, most_behind = 0 }: Partial<ConsumerCounts> = {}) => ({
  ...{ stacks, repositories, behind, most_behind },
})

/** A module with its versions; by the id of a pinned one, its family. */
export const readModule = async ({ pool }: ModuleDeps, caller: PersonOrKey, id: string) => {
  const sight = sightOf(caller)
  const row = await findModuleView(pool, sight, id)
  if (!row?.visible) throw new Problem('not_found', `module ${id} does not exist`)
  const [versions, consumers] = await Promise.all([
    versionsOfModule(pool, sight, row.id),
    consumersOfModules(pool, sight, [row.id]),
  ])
  const shaped = versions.map(({ tag, sha, tagged_at }) => ({
    version: tag,
    sha,
    ...present({ tagged_at: tagged_at?.toISOString() }),
  }))
  return { ...shapeModule(row, consumers), ...present({ versions: shaped }) }
}

const shapeModule = ({ id, key, kind, source, latest }: ModuleView, consumers: readonly ConsumerView[]) => ({
  id,
  key,
  kind,
  ...present({ source, latest, consumers: consumers.map(shapeConsumer) }),
})

const shapeConsumer = ({ stack_id, repo, stack_key, ref, behind }: ConsumerView) => ({
  stack_id,
  repo,
  stack_key,
  ...present({ ref, behind }),
})

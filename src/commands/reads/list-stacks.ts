import { z } from 'zod'
import type { PersonOrKey } from '#commands/callers/caller.ts'
import { sightOf } from '#commands/callers/person.ts'
import { scopeOf } from '#commands/callers/scope-of.ts'
import { type RepositoryName, visibleRepository } from '#commands/callers/visible-repository.ts'
import { CursorText, limitOf, type Page, type PageRequest, pageOf, readCursor } from '#commands/shapes/page.ts'
import { shapeStack } from '#commands/shapes/shape-stack.ts'
import type { Pool } from '#db/sql.ts'
import { modulesOfStacks } from '#db/views/module-view.ts'
import { countStacks, listStacksOf, type StackFilter, type StackItem } from '#db/views/stack-list-view.ts'
import { listStackViews, type StackView } from '#db/views/stack-view.ts'
import type { Deps } from '../deps.ts'

/** The stacks that the default branch has, by key (docs/interface.md, 'GET /v1/repos/{owner}/{repo}/stacks'). */
export const listStacks = async (
  { pool }: Pick<Deps, 'pool'>,
  caller: PersonOrKey,
  name: RepositoryName,
  asked: PageRequest,
): Promise<Page<ReturnType<typeof shapeStack>> & { total?: number }> => {
  const { id: repoId, stack_count: total } = await visibleRepository(pool, caller, name)
  const list = `stacks of ${repoId}`
  const limit = limitOf(asked)
  const after = readCursor(asked.cursor, z.tuple([z.literal(list), CursorText]))
  const stacks = await listStackViews(pool, { repoId, after: after?.[1], limit: limit + 1 })
  const page = pageOf(stacks, limit, { keyOf: ({ key }) => [list, key], shape: (stack) => stack })
  const items = await withModules(pool, caller, page.items)
  return { ...page, items, ...(total > 0 ? { total } : {}) }
}

type AskedOfAll = PageRequest & StackFilter & { repo?: string | undefined }

/** Stacks of all repositories that the caller sees, with a total where counts are kept (docs/interface.md, 'GET /v1/stacks'). */
export const listAllStacks = async (
  { pool }: Pick<Deps, 'pool'>,
  caller: PersonOrKey,
  { limit: wanted, cursor, repo, ...filter }: AskedOfAll,
): Promise<Page<ReturnType<typeof shapeStack>> & { total?: number }> => {
  const scope = await scopeOf({ pool }, caller, repo)
  const limit = limitOf({ limit: wanted })
  const after = readCursor(cursor, place)
  const stacks = await listStacksOf(pool, { scope, sight: sightOf(caller), filter, after, limit: limit + 1 })
  const keyOf = ({ repo, repo_id: repoId, key }: StackItem) => [allStacks, repo, repoId, key]
  const page = pageOf(stacks, limit, { keyOf, shape: (stack) => stack })
  const listed = { ...page, items: await withModules(pool, caller, page.items) }
  if (Object.values(filter).some((value) => value !== undefined)) return listed
  return { ...listed, total: await countStacks(pool, scope) }
}

const allStacks = 'stacks'

const place = z
  .tuple([z.literal(allStacks), CursorText, z.int(), CursorText])
  .transform(([, repo, repoId, key]) => ({ repo, repoId, key }))

const withModules = async (pool: Pool, caller: PersonOrKey, stacks: readonly StackView[]) => {
  const ids = stacks.map(({ id }) => id)
  const modules = Map.groupBy(await modulesOfStacks(pool, sightOf(caller), ids), ({ stack_id }) => stack_id)
  return stacks.map((stack) => shapeStack(stack, modules.get(stack.id) ?? []))
}

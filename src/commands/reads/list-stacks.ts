import { z } from 'zod'
import type { PersonOrKey } from '#commands/callers/caller.ts'
import { sightOf } from '#commands/callers/person.ts'
import { type RepositoryName, visibleRepository } from '#commands/callers/visible-repository.ts'
import { CursorText, limitOf, type Page, type PageRequest, pageOf, readCursor } from '#commands/shapes/page.ts'
import { shapeStack } from '#commands/shapes/shape-stack.ts'
import { modulesOfStacks } from '#db/views/module-view.ts'
import { listStackViews } from '#db/views/stack-view.ts'
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
  const ids = page.items.map(({ id }) => id)
  const modules = Map.groupBy(await modulesOfStacks(pool, sightOf(caller), ids), ({ stack_id }) => stack_id)
  const items = page.items.map((stack) => shapeStack(stack, modules.get(stack.id) ?? []))
  return { ...page, items, ...(total > 0 ? { total } : {}) }
}

import { z } from 'zod'
import { modulesOfStacks } from '#db/views/module-view.ts'
import { listStackViews } from '#db/views/stack-view.ts'
import type { PersonOrKey } from './caller.ts'
import type { Deps } from './deps.ts'
import { CursorText, limitOf, type Page, type PageRequest, pageOf, readCursor } from './page.ts'
import { sightOf } from './people/person.ts'
import { shapeStack } from './shape-stack.ts'
import { type RepositoryName, visibleRepository } from './visible-repository.ts'

/** The stacks that the default branch has, by key (spec, 'GET /v1/repos/{owner}/{repo}/stacks'). */
export const listStacks = async (
  { pool }: Pick<Deps, 'pool'>,
  caller: PersonOrKey,
  name: RepositoryName,
  asked: PageRequest,
): Promise<Page<ReturnType<typeof shapeStack>> & { total?: number }> => {
  const { id: repoId, stackCount: total } = await visibleRepository(pool, caller, name)
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

import type { PersonOrKey } from '#commands/callers/caller.ts'
import { sightOf } from '#commands/callers/person.ts'
import { limitOf, momentKey, type Page, type PageRequest, pageOf, readCursor } from '#commands/shapes/page.ts'
import { present } from '#commands/shapes/shape-run.ts'
import { shapeDriftCheck, shapeRunStackRef, shapeStack } from '#commands/shapes/shape-stack.ts'
import type { Reader } from '#db/sql.ts'
import { listDriftChecks } from '#db/views/drift-view.ts'
import { modulesOfStacks } from '#db/views/module-view.ts'
import { neighboursOfStack } from '#db/views/neighbour-view.ts'
import { findStackView, listStackHistory, type StackView } from '#db/views/stack-view.ts'
import { forOwnerOf } from '#db/whose.ts'
import { parseStackKey } from '#domain/keys.ts'
import type { RunMode } from '#domain/run-status.ts'
import { Problem } from '#errors.ts'
import type { Deps } from '../deps.ts'

type Reading = Pick<Deps, 'pool'>

/** A stack by its id, whether or not the default branch still has it (docs/interface.md, 'StackDetail'). */
export const readStack = async (deps: Reading, caller: PersonOrKey, id: string) => {
  const { pool, stack } = await visibleStack(deps, caller, id)
  const sight = sightOf(caller)
  const { path } = stack.node ?? parseStackKey(stack.key)
  const [modules, neighbours] = await Promise.all([
    modulesOfStacks(pool, sight, [stack.id]),
    neighboursOfStack(deps.pool, sight, { id: stack.id, repoId: stack.repo_id, key: stack.key, path }),
  ])
  return { ...shapeStack(stack, modules), ...present({ neighbours: [...neighbours] }) }
}

/** What runs did with a stack, newest first (docs/interface.md, 'GET /v1/stacks/{id}/runs'). */
export const listStackRuns = async (
  deps: Reading,
  caller: PersonOrKey,
  id: string,
  { mode: modes, ...asked }: PageRequest & { mode?: readonly RunMode[] | undefined },
): Promise<Page<ReturnType<typeof shapeRunStackRef>>> => {
  const { pool, stack } = await visibleStack(deps, caller, id)
  const stackId = stack.id
  const list = `runs of stack ${stackId}`
  const limit = limitOf(asked)
  const after = readCursor(asked.cursor, momentKey(list))
  const rows = await listStackHistory(pool, { stackId, modes, after, limit: limit + 1 })
  return pageOf(rows, limit, {
    keyOf: ({ at, run_id }) => [list, at, run_id],
    shape: ({ ref }) => shapeRunStackRef(ref),
  })
}

/** What checks for drift found in a stack, newest first. */
export const listStackDrift = async (
  deps: Reading,
  caller: PersonOrKey,
  id: string,
  asked: PageRequest,
): Promise<Page<ReturnType<typeof shapeDriftCheck>>> => {
  const { pool, stack } = await visibleStack(deps, caller, id)
  const stackId = stack.id
  const list = `drift of stack ${stackId}`
  const limit = limitOf(asked)
  const after = readCursor(asked.cursor, momentKey(list))
  const rows = await listDriftChecks(pool, { stackId, after, limit: limit + 1 })
  return pageOf(rows, limit, {
    keyOf: ({ checked_at, run_id }) => [list, checked_at, run_id],
    shape: shapeDriftCheck,
  })
}

/** The stack, and the database as its installation sees it. */
const visibleStack = async (
  deps: Reading,
  caller: PersonOrKey,
  id: string,
): Promise<{ pool: Reader; stack: StackView }> => {
  const pool = await forOwnerOf(deps.pool, { stacks: [id] })
  const stack = pool && (await findStackView(pool, sightOf(caller), id))
  if (!stack) throw new Problem('not_found', `stack ${id} does not exist`)
  return { pool, stack }
}

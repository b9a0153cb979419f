import { dependentsOf } from '#domain/graph/dependents.ts'
import type { Graph } from '#domain/graph/graph.ts'
import type { Steps } from '#domain/steps.ts'
import { type KeySelection, selectKeys } from './select-keys.ts'

/** A named stack, and its dependencies that are not named but still have to be applied. */
export type LeftOut = { key: string; needs: string[] }

/** The stacks of an apply; or why the words choose none. */
export type StackChoice =
  | { kind: 'chosen'; keys: string[] }
  | { kind: 'unmatched'; unmatched: KeySelection['unmatched'] }
  | { kind: 'left_out'; leftOut: LeftOut[] }
  | { kind: 'applied' }

/**
 * Chooses among the stacks of a plan by keys, globs and tags. Stacks that an apply has already done are not done again: a second
 * apply after a failure takes up what remains. A choice that leaves out a dependency of a chosen stack is refused: the stack
 * would be applied on top of something that does not exist yet, which the order of waves prevents.
 */
export function* chooseStacks(
  plan: {
    stacks: readonly { key: string; status: string }[]
    applied: ReadonlySet<string>
    tags?: ReadonlyMap<string, readonly string[]> | undefined
  },
  words: readonly string[],
  edges: () => Graph['edges'],
): Steps<StackChoice> {
  const { stacks, applied, tags } = plan
  const { keys, unmatched } = yield* selectKeys(
    words,
    stacks.map(({ key }) => key),
    tags,
  )
  if (unmatched.length > 0) return { kind: 'unmatched', unmatched }
  const open = keys.filter((key) => !applied.has(key))
  if (keys.length > 0 && open.length === 0) return { kind: 'applied' }
  const chosen = new Set(open)
  const without = stacks.filter(({ key, status }) => !chosen.has(key) && !applied.has(key) && status !== 'noop')
  if (without.length === 0) return { kind: 'chosen', keys: open }
  const reached = dependentsOf(
    { edges: edges() },
    without.map(({ key }) => key),
  )
  const leftOut = open.flatMap((key) => {
    const needs = reached.get(key)
    return needs === undefined ? [] : [{ key, needs }]
  })
  return leftOut.length === 0 ? { kind: 'chosen', keys: open } : { kind: 'left_out', leftOut }
}

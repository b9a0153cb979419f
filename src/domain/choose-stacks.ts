import { dependentsOf } from './dependents.ts'
import type { Graph } from './graph.ts'
import { type KeySelection, selectKeys } from './select-keys.ts'

/** A stack that is named, and those it depends on which are not, and have yet to be applied. */
export type LeftOut = { key: string; needs: string[] }

/** The stacks of an apply; or why what was written chooses none. */
export type StackChoice =
  | { kind: 'chosen'; keys: string[] }
  | { kind: 'unmatched'; unmatched: KeySelection['unmatched'] }
  | { kind: 'left_out'; leftOut: LeftOut[] }
  | { kind: 'applied' }

/**
 * Chooses among the stacks of a plan by keys and globs. What the plan says and an apply has done is not done again: a second
 * apply after a failure takes up what remains. A choice that leaves out what a chosen stack depends on is none: it would be
 * applied on top of something that is not there yet, which is what the order of waves is for.
 */
export const chooseStacks = (
  plan: { stacks: readonly { key: string; status: string }[]; applied: ReadonlySet<string> },
  words: readonly string[],
  edges: () => Graph['edges'],
): StackChoice => {
  const { stacks, applied } = plan
  const { keys, unmatched } = selectKeys(
    words,
    stacks.map(({ key }) => key),
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

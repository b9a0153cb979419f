import type { RunRow } from '../../api/run-types.ts'
import type { Need } from '../state/ordering.ts'

/** A line of why a stack is in a run: what was there first, and what that made of it. */
export type Why = {
  /** Its own files, a module, or another stack. */
  from: { words: string } | { module: string } | { stack: string }
  made: string
  /** How that is known: the state that is read, and whether the scan found it. */
  note?: string
}

/** `asker` is who asks for stacks by name. `needs` are those of the stack by the run's graph; undefined until it is there, or where there is none. */
export const whyOf = (
  { reasons = [], via = [] }: RunRow,
  needs: readonly Need[] | undefined,
  asker = 'somebody',
): Why[] => {
  const has = new Set(reasons)
  const lines: Why[] = []
  if (has.has('requested')) lines.push({ from: { words: asker }, made: 'asked for it' })
  if (has.has('changed')) lines.push({ from: { words: 'its own files' }, made: 'changed' })
  if (has.has('watch_path')) lines.push({ from: { words: 'files that it watches' }, made: 'changed' })
  return [...lines, ...via.map((key) => throughOf(key, has, needs))]
}

const throughOf = (key: string, has: ReadonlySet<string>, needs: readonly Need[] | undefined): Why => {
  const need = needs?.find(({ on }) => on === key)
  if (need)
    return {
      from: { stack: key },
      made: need.type === 'reads_state' ? 'reads state' : 'depends on it',
      ...noteOf(need),
    }
  // keys of modules and of stacks look alike: where every reason is of one kind, so is the key
  const isModule = has.has('module') && (needs !== undefined || !(has.has('reads_state') || has.has('dependent')))
  if (isModule) return { from: { module: key }, made: 'uses the module' }
  return { from: { stack: key }, made: has.has('reads_state') ? 'reads state' : 'depends on it' }
}

const noteOf = ({ state, inferred, through }: Need): { note?: string } => {
  const parts = [state, through === undefined ? undefined : `through ${through}`, inferred ? 'inferred' : undefined]
  const known = parts.filter((part) => part !== undefined)
  return known.length === 0 ? {} : { note: known.join(', ') }
}

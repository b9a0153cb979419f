/** What a key, or two in a row, do: `?`, `Escape`, `g o`. */
export type Binding = {
  keys: string
  /** For the list of shortcuts: 'Overview'. */
  does: string
  act(): void
}

export type Pressed = { key: string; at: number }

/** The first key of two is forgotten after this. */
const patienceMs = 1500

/**
 * Finds out what was meant by the keys that are pressed. Of two bindings of the same keys the later one counts, which is that of the
 * part of the page that came last.
 */
export const createChords = (bindings: () => readonly Binding[]) => {
  let first: Pressed | undefined
  return ({ key, at }: Pressed): Binding | undefined => {
    const before = first !== undefined && at - first.at < patienceMs ? `${first.key} ` : ''
    first = undefined
    const all = bindings()
    const found = all.findLast(({ keys }) => keys === `${before}${key}`)
    if (found) return found
    if (all.some(({ keys }) => keys.startsWith(`${key} `))) first = { key, at }
    return before === '' ? undefined : all.findLast(({ keys }) => keys === key)
  }
}

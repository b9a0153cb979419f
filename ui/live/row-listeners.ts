type Listener = () => void

/** Who wants to know of changes: of a row by its key, or of anything. */
export const createRowListeners = () => {
  const everything = new Set<Listener>()
  const ofRows = new Map<string, Set<Listener>>()
  return {
    subscribe: (listener: Listener): (() => void) => {
      everything.add(listener)
      return () => everything.delete(listener)
    },
    subscribeRow: (key: string, listener: Listener): (() => void) => {
      const listeners = ofRows.get(key) ?? new Set()
      ofRows.set(key, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        // another set may be there by now
        if (listeners.size === 0 && ofRows.get(key) === listeners) ofRows.delete(key)
      }
    },
    /** Those of the rows first, then those of anything. */
    tell: (keys: Iterable<string>): void => {
      for (const key of keys) for (const listener of ofRows.get(key) ?? []) listener()
      for (const listener of everything) listener()
    },
  }
}

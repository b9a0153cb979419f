/** What one request holds of a budget. */
export type Holding = {
  /** Counts more bytes as held. While the budget has no room for them, whoever holds most gives way: that may be this one. */
  take(bytes: number): void
  /** The bytes are held no more; again does nothing. */
  end(): void
}

export type ByteBudget = {
  /** `giveWay` is called at most once, when this holding has to go; it has ended by then. */
  open(owner: unknown, giveWay: () => void): Holding
}

type Held = { owner: unknown; bytes: number; giveWay(): void }

/**
 * A number of bytes that requests may hold in memory at the same time. Beyond it the newest request of the owner who holds most
 * gives way, not the one that happens to come: one who sends little is never in the way of one who sends much.
 */
export const createByteBudget = (most: number): ByteBudget => {
  const all = new Set<Held>()
  let total = 0
  const end = (held: Held): void => {
    if (all.delete(held)) total -= held.bytes
  }
  return {
    open: (owner, giveWay) => {
      const held = { owner, bytes: 0, giveWay }
      all.add(held)
      return {
        take: (bytes) => {
          if (!all.has(held)) return
          held.bytes += bytes
          total += bytes
          while (total > most) {
            const one = newestOfLargest(all)
            if (!one) return
            end(one)
            one.giveWay()
          }
        },
        end: () => end(held),
      }
    },
  }
}

const newestOfLargest = (all: Iterable<Held>): Held | undefined => {
  const owners = new Map<unknown, { bytes: number; newest: Held }>()
  for (const held of all) {
    const { bytes } = owners.get(held.owner) ?? { bytes: 0 }
    // one that holds nothing would free nothing
    if (held.bytes > 0) owners.set(held.owner, { bytes: bytes + held.bytes, newest: held })
  }
  let largest: { bytes: number; newest: Held } | undefined
  for (const owner of owners.values()) if (!largest || owner.bytes > largest.bytes) largest = owner
  return largest?.newest
}

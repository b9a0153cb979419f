/** What one request holds of a budget. */
export type Holding = {
  /** Counts more bytes as held. While the budget has no room for them, whoever holds most gives way: that may be this one. */
  take(bytes: number): void
  /** The bytes are held no more; again does nothing. */
  end(): void
}

/** Owners within owners, the outermost first: an organisation, and a repository of it. */
export type Owner = readonly unknown[]

export type ByteBudget = {
  /** `giveWay` is called at most once, when this holding has to go; it has ended by then. */
  open(owner: Owner, giveWay: () => void): Holding
}

type Held = { owner: Owner; bytes: number; giveWay(): void }

/**
 * A number of bytes that requests may hold in memory at the same time. Beyond it the newest request of the owner who holds most
 * gives way, of the owner within it who holds most, and not the one that happens to come: one who sends little never gives way to one
 * who sends much, in however many names.
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

/** One that holds nothing would free nothing. */
const newestOfLargest = (all: Iterable<Held>): Held | undefined => {
  let among = [...all].filter(({ bytes }) => bytes > 0)
  for (let level = 0; among.some(({ owner }) => level < owner.length); level += 1) {
    const groups = Map.groupBy(among, ({ owner }) => owner[level])
    among = [...groups.values()].reduce((largest, group) => (bytesOf(group) > bytesOf(largest) ? group : largest))
  }
  return among.at(-1)
}

const bytesOf = (group: readonly Held[]): number => group.reduce((sum, { bytes }) => sum + bytes, 0)

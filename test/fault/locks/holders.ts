/** Who holds what, as callers know it from the answers that they got. */
export type Holders = {
  /** Called before a lock is asked for. */
  asking(): number
  /** The answer to a request that began at `begun`: the run has it. */
  taken(name: string, run: string, begun: number): void
  /** Called before anything is asked for that frees it for its holder. */
  givingBack(name: string): void
  /** Called before it is released, whoever holds it by then; what it returns is called with the answer. */
  releasing(name: string): () => void
  /** Somebody else may take it, of whom nothing is known here. */
  forget(name: string): void
  broken: string[]
}

type Held = { run: string; since: number; isGivenBack: boolean }

/**
 * From outside, whatever the journal says: who was told that they have a lock, while one had it who was told so before they asked
 * and of whom nobody had asked it back, got what was another's.
 */
export const createHolders = (): Holders => {
  const held = new Map<string, Held>()
  /** Releases that are under way, by lock: who takes it meanwhile may lose it to one of them. */
  const releases = new Map<string, number>()
  const broken: string[] = []
  let clock = 0
  const tick = (): number => {
    clock += 1
    return clock
  }
  const givingBack = (name: string): void => {
    const before = held.get(name)
    if (before) before.isGivenBack = true
  }
  const underWay = (name: string, more: number): void => {
    releases.set(name, (releases.get(name) ?? 0) + more)
  }
  return {
    broken,
    asking: tick,
    taken: (name, run, begun) => {
      const before = held.get(name)
      if (before && !before.isGivenBack && before.run !== run && before.since < begun)
        broken.push(`${name} was given to ${run}, while ${before.run} had it`)
      held.set(name, { run, since: tick(), isGivenBack: (releases.get(name) ?? 0) > 0 })
    },
    givingBack,
    releasing: (name) => {
      givingBack(name)
      underWay(name, 1)
      return () => underWay(name, -1)
    },
    forget: (name) => {
      held.delete(name)
    },
  }
}

/** Who holds what, as callers know it from the answers that they got. */
export type Holders = {
  /** Called before a lock is asked for. */
  asking(): number
  /** The answer to a request that began at `begun`: the run has it. */
  taken(name: string, run: string, begun: number): void
  /** Called before anything is asked for that may free it. */
  givingBack(name: string): void
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
  const broken: string[] = []
  let clock = 0
  const tick = (): number => {
    clock += 1
    return clock
  }
  return {
    broken,
    asking: tick,
    taken: (name, run, begun) => {
      const before = held.get(name)
      if (before && !before.isGivenBack && before.run !== run && before.since < begun)
        broken.push(`${name} was given to ${run}, while ${before.run} had it`)
      held.set(name, { run, since: tick(), isGivenBack: false })
    },
    givingBack: (name) => {
      const before = held.get(name)
      if (before) before.isGivenBack = true
    },
    forget: (name) => {
      held.delete(name)
    },
  }
}

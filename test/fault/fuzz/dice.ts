import { random } from '#test/helpers/random.ts'

/** Choices that are the same for a seed. */
export type Dice = {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  one<T>(from: readonly T[]): T
  /** True in so many of a hundred times. */
  percent(chance: number): boolean
}

export const createDice = (seed: number): Dice => {
  const below = random(seed)
  return {
    below,
    one: (from) => {
      const chosen = from[below(from.length)]
      if (chosen === undefined) throw new Error('nothing to choose from')
      return chosen
    },
    percent: (chance) => below(100) < chance,
  }
}

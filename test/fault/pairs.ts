import { isDeepStrictEqual } from 'node:util'
import type { AgeingWorld } from './ageing-world.ts'
import { endingAfter, endingOf, lossOf } from './apply-ending.ts'
import { playApply } from './apply-story.ts'
import type { Loss, Mishap } from './mishaps/mishap.ts'
import { mishaps } from './mishaps/mishaps.ts'

export type Pair = readonly [Mishap, Mishap]

const all = [...mishaps.webhooks, ...mishaps.requests, ...mishaps.jobs]

/** A runner can behave in only one way. */
const isTwoMinded = ({ runners: some = {} }: Mishap, { runners: others = {} }: Mishap): boolean =>
  Object.keys(some).some((name) => name in others)

/** Any two mishaps, in the order of the list. */
export const pairs: readonly Pair[] = all.flatMap((one, index) =>
  all.slice(index + 1).flatMap((other) => (isTwoMinded(one, other) ? [] : [[one, other] as const])),
)

/**
 * Plays a story in which both happen; returns what is wrong with its end. Which of two losses comes first, and whether one
 * leaves room for the other, is not predicted: the end must follow from the actual losses by the tables, and no more may be
 * lost than either mishap loses. Two mishaps that lose nothing lose nothing together.
 */
export const playPair = async (world: AgeingWorld, pair: Pair): Promise<string[]> => {
  const told = await playApply(world, pair)
  const loss = lossOf(world, told)
  const unforeseen = Object.entries(loss).flatMap(([what, lost]) =>
    lost.filter((one) => !isForeseen(what as keyof Loss, one, pair)).map((one) => `${one} is ${what}`),
  )
  const [ending, wanted] = [await endingOf(world, told), endingAfter(loss)]
  const wrong = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(
    (part) => !isDeepStrictEqual(ending[part], wanted[part]),
  )
  return [
    ...unforeseen,
    ...wrong.map(
      (part) => `${part}: ${JSON.stringify(ending[part])} where it should be ${JSON.stringify(wanted[part])}`,
    ),
  ]
}

const isForeseen = (what: keyof Loss, one: string | number, pair: Pair): boolean =>
  pair.some(({ loss = {} }) => (loss[what] as readonly unknown[] | undefined)?.includes(one))

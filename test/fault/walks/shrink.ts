import type { Place } from './place.ts'
import { type Taken, takeWalk, type Walked } from './take-walk.ts'

/** Drops steps from a walk that went wrong, one after another, as long as it still goes wrong without them. */
export const shrink = async (place: Place, { seed, taken }: Walked): Promise<readonly Taken[]> => {
  let script: readonly Taken[] = taken
  for (let index = script.length - 2; index >= 0; index -= 1) {
    const shorter = script.filter((_, at) => at !== index)
    const { broken } = await takeWalk(place, { seed, length: 0, script: shorter })
    if (broken.length > 0) script = shorter
  }
  return script
}

import { many } from '#domain/texts/change-counts.ts'
import { readLocks } from './service-api.ts'
import type { Change, Stage } from './stage.ts'
import { waitFor } from './wait-for.ts'

/** The stacks that a pull request holds, by key. */
const heldBy = async ({ place, pull }: Stage, change: Change): Promise<string[]> => {
  const { number } = pull(change)
  const locks = await readLocks(place)
  return locks.filter(({ pr_number }) => pr_number === number).map(({ stack_key }) => stack_key)
}

/** Waits a moment for the pull request to hold just these locks, lists them, and returns what is otherwise. */
export const lockDifferences = async (stage: Stage, change: Change, keys: readonly string[]): Promise<string[]> => {
  const shown = (some: readonly string[]): string => some.toSorted().join(', ') || 'none'
  const { number } = stage.pull(change)
  const isAsMeant = async () => (shown(await heldBy(stage, change)) === shown(keys) ? true : undefined)
  const isSo = await waitFor(isAsMeant, 10)
  const held = await heldBy(stage, change)
  const of = held.length === 0 ? '' : ` on ${shown(held)}`
  stage.tell(`#${number} holds ${many(held.length, 'lock') || 'no lock'}${of}: ${stage.place.serviceUrl}/v1/locks`)
  return isSo ? [] : [`#${number} holds locks on ${shown(held)}, not on ${shown(keys)}`]
}

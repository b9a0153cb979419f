import type { PlanStack } from '#db/views/runs/plan-view.ts'
import { compactWaves } from '#domain/resolution/compact-waves.ts'

/** Keys of the chosen stacks of a plan, in the waves that their apply would have. */
export const wavesOf = (stacks: readonly Pick<PlanStack, 'key' | 'wave'>[], keys: readonly string[]): string[][] => {
  const chosen = new Set(keys)
  const waves: string[][] = []
  for (const { key, wave } of compactWaves(stacks.filter(({ key }) => chosen.has(key)))) {
    const known = waves[wave]
    if (known) known.push(key)
    else waves[wave] = [key]
  }
  return waves.map((wave) => wave.toSorted())
}

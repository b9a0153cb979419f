/** The same stacks with their waves renumbered from 0, none empty: a selection keeps its order. */
export const compactWaves = <S extends { wave: number }>(stacks: readonly S[]): S[] => {
  const numbers = [...new Set(stacks.map(({ wave }) => wave))].sort((a, b) => a - b)
  const at = new Map(numbers.map((wave, index) => [wave, index]))
  return stacks.map((stack) => ({ ...stack, wave: at.get(stack.wave) ?? 0 }))
}

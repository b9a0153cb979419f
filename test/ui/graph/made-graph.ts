import type { CompactGraph } from '../../../ui/api/graph.ts'

/** Layers of a graph at once, however many portions it takes. */
export const drained = <T>(steps: Generator<undefined, T>): T => {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** From keys by wave, and needs as `from to`. */
export const graphOf = (waves: string[][], needs: string[] = [], external: string[] = []): CompactGraph => {
  const keys = [...waves.flat(), ...external]
  const at = (key = ''): number => keys.indexOf(key)
  return {
    ...{ keys, stacks: keys.length, external: external.map(at), kinds: ['uses_module', 'depends_on', 'reads_state'] },
    waves: waves.map((wave) => wave.map(at)),
    edges: needs.map((line) => {
      const [from, to] = line.split(' ')
      return [at(from), at(to), 1]
    }),
  }
}

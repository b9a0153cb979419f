import type { CompactGraph } from '../api/graph.ts'

/** Why one needs the other. */
const words: Record<CompactGraph['kinds'][number], string> = {
  depends_on: 'named in its configuration: depends_on',
  reads_state: 'its code reads the state of it',
  uses_module: 'its code uses the module',
}

/** The kind of an edge in words; several kinds between the same two are listed. */
export const edgeWords = ({ kinds }: CompactGraph, numbers: readonly number[]): string =>
  [...new Set(numbers)]
    .flatMap((number) => {
      const kind = kinds[number]
      return kind === undefined ? [] : [words[kind]]
    })
    .join('; ')

/** The ends of a node's edges, each once, with the numbers of all kinds between the two. */
export const grouped = (
  ends: readonly (readonly [other: number, kind: number])[],
): [other: number, kinds: number[]][] =>
  [...Map.groupBy(ends, ([other]) => other)].map(([other, edges]) => [other, edges.map(([, kind]) => kind)])

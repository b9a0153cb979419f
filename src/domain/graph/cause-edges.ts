import type { Edge } from './graph.ts'

/**
 * The dependencies of a run's stacks on those that made them affected (`via`): the graph of the pull request lacks the ones that only the
 * default branch's svc.yml makes. A cause that goes in a later wave, or in the same, orders nothing: the pull request has reversed that
 * dependency, and both ways together would be a cycle.
 */
export const causeEdges = (stacks: readonly { key: string; wave: number; via: readonly string[] }[]): Edge[] => {
  const waves = new Map(stacks.map(({ key, wave }) => [key, wave]))
  return stacks.flatMap(({ key, wave, via }) =>
    via
      .filter((cause) => (waves.get(cause) ?? wave) < wave)
      .map((cause): Edge => ({ from: { kind: 'stack', key }, to: { kind: 'stack', key: cause }, type: 'depends_on' })),
  )
}

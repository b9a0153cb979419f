import type { GateFailure, LayerReport } from '#domain/gate/evaluate-gate.ts'

/**
 * Characters of all lists of stacks of a gate's answer. Each of 150 required checks may lack on each of 5,000 stacks, whose keys have up
 * to 1,000 characters: that would be an answer of 700 MB.
 */
const mostChars = 4 * 1024 * 1024

type Facts = Omit<LayerReport, 'failures'>

/** The answer with long lists cut to their beginning once there is too much; no list is left without a key, as that means all stacks. */
export const cutStacks = (failures: readonly GateFailure[], facts: readonly Facts[]) => {
  let left = mostChars
  const cut = (keys: readonly string[]): string[] => {
    const end = keys.findIndex((key) => {
      left -= key.length
      return left < 0
    })
    return end < 0 ? [...keys] : keys.slice(0, end + 1)
  }
  return {
    failures: failures.map((failure) => ({ ...failure, stacks: cut(failure.stacks) })),
    facts: facts.map((fact) => ({
      ...fact,
      evidence: fact.evidence.map((one) => (one.stacks === undefined ? one : { ...one, stacks: cut(one.stacks) })),
    })),
  }
}

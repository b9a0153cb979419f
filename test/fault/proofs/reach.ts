import { walk } from '#test/model/walk.ts'
import { type Proof, wholeNumber } from './proof.ts'

const kinds = [
  { mode: 'plan', manual: false },
  { mode: 'apply', manual: false },
  { mode: 'apply', manual: true },
] as const

/** No machine waits for ever: in every state of every walk it has a timer, a job or a named event from outside. */
export const reach: Proof = {
  usage: `reach [--walks N] [--seed N] [--json]

Takes N random walks (10,000) of each kind of run, with its stacks, locks and dispatches, from this seed (0) on. After each message each machine
that is not at its end must have something that leads it on, and all of them must keep the invariants of docs/architecture.md.
--json: the report alone.
`,
  minutes: 45,
  options: ['walks', 'seed'],
  flags: ['json'],
  prove: async (_ground, { walks, seed }, flags) => {
    const count = wholeNumber(walks, 10_000)
    const from = seed === undefined ? 0 : Number(seed)
    const begun = performance.now()
    const ends = new Map<string, number>()
    const broken = kinds.flatMap((kind) =>
      Array.from({ length: count }, (_, index) => walk({ seed: from + index, ...kind }, ends)).flat(),
    )
    const seconds = Math.round((performance.now() - begun) / 1000)
    const report = {
      proof: 'reach',
      walks: count * kinds.length,
      seed: from,
      seconds,
      ends: Object.fromEntries(ends),
      broken,
    }
    if (!flags.has('json')) for (const line of broken.slice(0, 20)) console.log(line)
    console.log(JSON.stringify({ ...report, broken: broken.slice(0, 20) }))
    return broken.length === 0
  },
}

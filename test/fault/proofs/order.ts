import { join } from 'node:path'
import { compareOrders } from '../order/compare.ts'
import { type Proof, wholeNumber } from './proof.ts'

/** `svc order` says what the service would do. */
export const order: Proof = {
  usage: `order [--repositories N] [--seed N] [--json]

Makes N repositories (1,000) from this seed (0) on, with named instances and instances from files, placeholders, tags, keys, globs and tags
in depends_on, symbolic links and units of Terragrunt, and compares what svc order says there with the service's answer, for a change of some paths or for all stacks.
Five minutes. --json: the report alone.
`,
  minutes: 45,
  options: ['repositories', 'seed'],
  flags: ['json'],
  prove: async ({ dataDir }, { repositories, seed }, flags) => {
    const count = wholeNumber(repositories, 1000)
    const from = seed === undefined ? 0 : Number(seed)
    const begun = performance.now()
    const broken: string[] = []
    const met = { stacks: 0, waves: 0, cycles: 0 }
    for (let at = from; at < from + count; at += 1) {
      const { stacks, waves, cycles, differing } = await compareOrders(join(dataDir, 'repository'), at)
      met.stacks += stacks
      met.waves += waves
      met.cycles += cycles
      broken.push(...differing.map((what) => `seed ${at}: ${what}`))
    }
    const seconds = Math.round((performance.now() - begun) / 1000)
    if (!flags.has('json')) for (const line of broken.slice(0, 20)) console.log(line)
    console.log(
      JSON.stringify({ proof: 'order', repositories: count, seed: from, seconds, ...met, broken: broken.length }),
    )
    return broken.length === 0 && met.waves > count / 2
  },
}

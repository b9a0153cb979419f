import { playHcl } from '../hcl/play-hcl.ts'
import { type Proof, wholeNumber } from './proof.ts'

/** No text ends or holds up the reader of HCL, and what it reads means the same to HashiCorp's parser. */
export const hcl: Proof = {
  usage: `hcl [--inputs N] [--seed N] [--json]

Reads N texts (250,000): configuration of test/fixtures and generated, with changes that come from the seed (1). None may crash the reader or
take it 2 s, and none that @cdktf/hcl2json accepts may be refused. Of those that both accept, blocks, labels, names and all values that it knows
must be theirs. A finding names its own seed: with --inputs 1 it is read alone. --json: a report as the last line on standard output.
`,
  minutes: 90,
  options: ['inputs', 'seed'],
  flags: ['json'],
  prove: async (_ground, options, flags) => {
    const begun = performance.now()
    const amount = { inputs: wholeNumber(options.inputs, 250_000), seed: wholeNumber(options.seed, 1) }
    const report = await playHcl(amount, console.error)
    const seconds = Math.round((performance.now() - begun) / 1000)
    for (const one of report.broken) console.error(one)
    const { inputs, accepted, broken } = report
    if (flags.has('json')) console.log(JSON.stringify({ proof: 'hcl', seconds, ...report }))
    else console.log(`${inputs} texts in ${seconds} s: ${accepted} accepted by both, ${broken.length} wrong`)
    return broken.length === 0
  },
}

import { openAgeingWorld } from '../ageing-world.ts'
import { sessionKey } from '../fuzz/callers.ts'
import { playFuzz } from '../fuzz/play-fuzz.ts'
import { type Proof, wholeNumber } from './proof.ts'

/** Whatever is sent, by whomever: no 5xx, no hang, and every answer as the API's document says. */
export const fuzz: Proof = {
  usage: `fuzz [--requests N] [--seed N] [--json]

Sends N requests (100,000) made from the API's own document: valid ones, nearly valid ones and hostile ones, by jobs, people,
API keys, the code host, nobody and strangers. No answer may be a 5xx or take longer than 10 s, errors have their documented
shape, and bodies fit the document's schemas. A finding names its number, which with the same seed (1) is the same request.
--json: a report as the last line on standard output.
`,
  minutes: 90,
  options: ['requests', 'seed'],
  flags: ['json'],
  prove: async (ground, options, flags) => {
    const begun = performance.now()
    const world = await openAgeingWorld({ ...ground, env: { SVC_SESSION_KEY: sessionKey } })
    const report = await playFuzz(world, {
      requests: wholeNumber(options.requests, 100_000),
      seed: wholeNumber(options.seed, 1),
    })
    await world.close()
    const seconds = Math.round((performance.now() - begun) / 1000)
    for (const one of report.broken) console.error(one)
    if (flags.has('json')) console.log(JSON.stringify({ name: 'fuzz', seconds, ...report }))
    else console.log(`${report.requests} requests in ${seconds} s, ${report.broken.length} wrong`, report.statuses)
    return report.broken.length === 0
  },
}

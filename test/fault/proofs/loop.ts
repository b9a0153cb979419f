import { paceOfMachine } from '#test/helpers/pace.ts'
import { allDeeds } from '../loop/deeds.ts'
import { openLoop } from '../loop/open-loop.ts'
import { playLoop } from '../loop/play-loop.ts'
import { type Proof, wholeNumber } from './proof.ts'

/** Whatever is sent, the event loop turns: others are answered as if nothing was. */
export const loop: Proof = {
  usage: `loop [--stacks N] [--ms N] [--only NAME] [--json]

Sends every route of the API's document, and the code host's webhooks, bodies as large as each takes them, each for N ms (100), while
another organisation's caller asks 50 times a second; uploads graphs of N stacks (20,000) and ends such plans at once, and has the
service read comments of 65 KB, svc.yml of 256 KB and CODEOWNERS of 3 MB. The service is a process of its own, with the memory that it
is shipped with: meanwhile 99 of a hundred turns that a request may find under way take at most 100 ms of its event loop's processor
time, and the longest 150 ms. The other's 99th percentile may grow to three times, or by 100 ms: that needs a machine with cores to
spare. On slower cores than those of docs/proofs.md the bounds are as much larger; it says how much. What has NAME in its name only.
Ten minutes.
--json: the last line is a report.
`,
  minutes: 60,
  options: ['stacks', 'ms', 'only'],
  flags: ['json'],
  prove: async (ground, options, flags) => {
    const begun = performance.now()
    const tell = (line: string): void => (flags.has('json') ? console.error(line) : console.log(line))
    const pace = Math.round(paceOfMachine(21) * 100) / 100
    tell(`this machine takes ${pace} times as long as those that the bounds are for`)
    const scene = await openLoop(ground)
    const deeds = allDeeds(scene, wholeNumber(options.stacks, 20_000))
    const { alone, looks, slowest, otherP99, broken } = await playLoop(scene, {
      deeds: deeds.filter(({ name }) => name.includes(options.only ?? '')),
      ms: { alone: 5000, deed: wholeNumber(options.ms, 100) },
      bounds: { p99: 100 * pace, longest: 150 * pace, other: 100 * pace },
      tell,
    })
    for (const one of broken) tell(one)
    const seconds = Math.round((performance.now() - begun) / 1000)
    const report = { proof: 'loop', seconds, pace, deeds: looks.length, alone, otherP99, slowest, broken }
    if (flags.has('json')) console.log(JSON.stringify(report))
    else tell(`${looks.length} deeds in ${seconds} s: the other's p99 ${otherP99} ms, alone ${alone.other} ms`)
    return broken.length === 0
  },
}

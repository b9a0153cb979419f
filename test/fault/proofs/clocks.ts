import { playLife } from '../life/play-life.ts'
import { wrongClocks } from '../life/wrong-clocks.ts'
import { type Proof, wholeNumber } from './proof.ts'

/** An instance whose clock is wrong takes nobody's work, loses nothing, and says that it is not ready. */
export const clocks: Proof = {
  usage: `clocks [--pulls N] [--seconds N] [--seed N] [--json]

Plays the life of N pull requests (24) over so many seconds (170), while the clock of one of two instances is a minute ahead, a minute behind, an
hour ahead and an hour behind, 35 s each. Nothing may be lost or done twice, and that instance is not ready in that time.
--json: the last line is a report.
`,
  minutes: 40,
  options: ['pulls', 'seconds', 'seed'],
  flags: ['json'],
  prove: async (ground, { pulls, seconds, seed }, flags) => {
    const begun = performance.now()
    const tell = (line: string): void => console.error(`${Math.round((performance.now() - begun) / 1000)} s: ${line}`)
    const { broken, ...report } = await playLife({
      ...ground,
      pulls: wholeNumber(pulls, 24),
      seconds: wholeNumber(seconds, 170),
      seed: wholeNumber(seed, 1),
      isRough: false,
      repositories: ['acme/infra', 'globex/infra'],
      happenings: Object.values(wrongClocks),
      times: { away: 4, cutOff: 0, frozen: 35 },
      calmSeconds: 5,
      endSeconds: 60,
      backOffSeconds: 5,
      tell,
    })
    if (!flags.has('json')) for (const line of broken) console.log(line)
    console.log(JSON.stringify({ proof: 'clocks', ...report, broken: broken.slice(0, 20) }))
    return broken.length === 0
  },
}

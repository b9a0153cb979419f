import { hostilities } from '../fair/hostile-uploads.ts'
import { playFair } from '../fair/play-fair.ts'
import { type Proof, wholeNumber } from './proof.ts'

/** One organisation is hostile, hung and huge; the other's requests take no more than three times as long. */
export const fair: Proof = {
  usage: `fair [--rounds N] [--json]

Measures N (100) comments, uploads and results of one organisation, alone; while another uploads 5,000 globs for 1,000 paths from eight pull
requests at once, then graphs of 8 MB; and while that one's code host hangs and 300 comments of it wait. The 99th percentile of each may grow
to three times, or by half a second: of two cores, the service, its database and the code host have the other's work to do as well.
--json: the last line is a report.
`,
  minutes: 15,
  options: ['rounds'],
  flags: ['json'],
  prove: async (ground, { rounds }, flags) => {
    const tell = (line: string): void => (flags.has('json') ? console.error(line) : console.log(line))
    const count = wholeNumber(rounds, 100)
    const measured = await playFair({
      ...ground,
      rounds: count,
      waiting: 300,
      hostile: hostilities,
      uploading: 8,
      tell,
    })
    const figures = measured.map((one) => ({ ...one, isFair: one.after <= Math.max(one.before * 3, one.before + 500) }))
    const broken = figures
      .filter(({ isFair }) => !isFair)
      .map(({ what, beside }) => `${what} of the other take too long beside ${beside}`)
    console.log(JSON.stringify({ proof: 'fair', rounds: count, figures, broken }))
    return broken.length === 0
  },
}

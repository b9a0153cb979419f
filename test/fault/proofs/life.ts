import { happenings } from '../life/happenings.ts'
import { illnesses } from '../life/illnesses.ts'
import { monthArchived } from '../life/old-months.ts'
import { type LifeReport, playLife } from '../life/play-life.ts'
import { troublesOfReplica } from '../life/replica.ts'
import { type Proof, wholeNumber } from './proof.ts'

/** Two instances under load survive all happenings, and nothing is lost or done twice. */
export const life: Proof = {
  usage: `life [--pulls N] [--seconds N] [--cut N] [--seed N] [--json]

Has N pull requests (60) of three repositories planned, reviewed, applied by command and merged over so many seconds (240), while
two instances of the service behind a balancer are killed (kill -9), stopped (SIGTERM) and frozen, their Postgres is restarted
(an immediate shutdown, 4 s away) and frozen, takes no writes, has no room or no connection left, cancels statements or has rows held by
a stranger, old months are archived, the replica that lists are read from is held back, frozen and gone, and the code host is cut off (--cut: 60 s),
truncates or redirects, one after another in an order set by the seed (1). All the time webhooks come twice, late or not at all, and requests get lost,
and a program with an API key applies a stack again and again: in the list of runs it must see what it has just done.
Then the journal, the tables and the code host's own record are compared, and readiness is checked for its whole time.
--json: a report on standard output, progress on standard error. Logs of the instances go to SVC_LIFE_LOGS, a folder.
`,
  minutes: 60,
  options: ['pulls', 'seconds', 'cut', 'seed'],
  flags: ['json'],
  prove: async (ground, { pulls, seconds, cut, seed }, flags) => {
    const isJson = flags.has('json')
    const begun = performance.now()
    const tell = (line: string): void => {
      const at = `${Math.round((performance.now() - begun) / 1000)} s: ${line}`
      if (isJson) console.error(at)
      else console.log(at)
    }
    const report = await playLife({
      ...ground,
      replicaDir: `${ground.postgresDir}-replica`,
      pulls: wholeNumber(pulls, 60),
      seconds: wholeNumber(seconds, 240),
      seed: wholeNumber(seed, 1),
      isRough: true,
      repositories: ['acme/infra', 'acme/platform', 'globex/infra'],
      happenings: [
        ...Object.values(happenings),
        ...Object.values(illnesses),
        ...Object.values(troublesOfReplica),
        monthArchived,
      ],
      times: { away: 4, cutOff: wholeNumber(cut, 60), frozen: 35 },
      calmSeconds: 8,
      endSeconds: 90,
      backOffSeconds: 7,
      tell,
    })
    if (isJson) console.log(JSON.stringify(report))
    else for (const line of linesOf(report)) console.log(line)
    return report.broken.length === 0
  },
}

const linesOf = ({ broken, figures, readiness, happenings, seconds }: LifeReport): string[] => [
  `${happenings.length} happenings in ${seconds} s`,
  Object.entries(figures)
    .map(([what, count]) => `${what} ${count}`)
    .join(', '),
  `asked ${readiness.probes} times whether it was ready: no within ${readiness.notReadyAfter} ms of the end of Postgres, yes within ${readiness.readyAfter} ms of its return`,
  ...(broken.length === 0 ? ['nothing was lost or done twice, and readiness was right'] : broken),
]

import { readConfig } from '#config.ts'
import { createLog } from '#log.ts'
import { startService } from '#service.ts'
import { addKey, disagreements } from '#test/scenes/scene.ts'
import { type AgeingWorld, openAgeingWorld } from '../ageing-world.ts'
import { playCrowd } from '../crowd-of-applies.ts'
import { type Proof, wholeNumber } from './proof.ts'

/** Pull requests that apply the same stacks at the same moment get them one after another, and each gets them. */
export const applies: Proof = {
  usage: `applies [--pulls N] [--json]

Has N pull requests (200) apply overlapping stacks at the same moment, against two instances of the service, again and again
until each was applied once. No stack may have two holders, nothing may be sent twice, and none may starve.
--json: the last line is a report.
`,
  minutes: 60,
  options: ['pulls'],
  flags: ['json'],
  prove: async (ground, options, flags) => {
    const tell = (line: string): void => (flags.has('json') ? console.error(line) : console.log(line))
    const pulls = wholeNumber(options.pulls, 200)
    const world = await openAgeingWorld({ ...ground, apply: { approvals: 0, mergeable: false } })
    const other = await anotherInstance(world)
    const begun = performance.now()
    const instances = [world, { ...world, service: other }]
    const crowd = await playCrowd({ instances, pulls, stacks: Math.ceil(pulls * 0.6), apiKey: await addKey(world) })
    const seconds = Math.round((performance.now() - begun) / 1000)
    const { applied, commands, rounds } = crowd
    tell(`${applied} of ${pulls} applied, by ${commands} commands in ${rounds} rounds, in ${seconds} s`)
    const broken = [...crowd.broken, ...(await disagreements(world)).map((row) => JSON.stringify(row))]
    if (applied < pulls) broken.push(`${pulls - applied} of ${pulls} starved`)
    for (const one of broken) tell(one)
    await other.stop()
    await world.close()
    if (flags.has('json'))
      console.log(JSON.stringify({ proof: 'applies', pulls, applied, commands, rounds, seconds, broken }))
    return broken.length === 0
  },
}

const anotherInstance = (world: AgeingWorld) => {
  const read = readConfig(world.env)
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  const log = createLog({ level: 'silent', format: 'text' })
  return startService(read.config, { paced: false, scheduled: false, log })
}

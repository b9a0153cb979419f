import { mkdir } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { createEnding, type Ending } from '#dev/ending.ts'
import { directoriesOf, removeData, removeLeftovers, removePostgres, self } from '#dev/leftovers.ts'
import { allUsage, proveAll } from './proofs/all.ts'
import { applies } from './proofs/applies.ts'
import { clocks } from './proofs/clocks.ts'
import { crash } from './proofs/crash.ts'
import { fair } from './proofs/fair.ts'
import { faults } from './proofs/faults.ts'
import { fuzz } from './proofs/fuzz.ts'
import { hcl } from './proofs/hcl.ts'
import { life } from './proofs/life.ts'
import { locks } from './proofs/locks.ts'
import { loop } from './proofs/loop.ts'
import { memory } from './proofs/memory.ts'
import { neighbours } from './proofs/neighbours.ts'
import { order } from './proofs/order.ts'
import { planted } from './proofs/planted.ts'
import type { Proof } from './proofs/proof.ts'
import { reach } from './proofs/reach.ts'
import { scan } from './proofs/scan.ts'
import { emptyDatabase, startProofServer } from './proofs/server.ts'
import { shown } from './proofs/shown.ts'
import { texts } from './proofs/texts.ts'
import { walks } from './proofs/walks.ts'

/* `npm run proof -- NAME`: the proofs that take minutes to hours; the tests play a sample of them. */

const proofs: Readonly<Record<string, Proof>> = {
  crash,
  applies,
  clocks,
  fair,
  faults,
  fuzz,
  hcl,
  life,
  loop,
  locks,
  memory,
  neighbours,
  order,
  planted,
  reach,
  scan,
  shown,
  texts,
  walks,
}

const main = async ([name = '', ...args]: string[]): Promise<void> => {
  const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined
  if (name === 'all') await all(args)
  else if (!proof) {
    const usages = [...Object.values(proofs), { usage: allUsage }].map(({ usage }) => `npm run proof -- ${usage}`)
    process.stderr.write(usages.join('\n'))
    process.exitCode = 1
  } else if (args.includes('--help'))
    process.stdout.write(
      `npm run proof -- ${proof.usage}--minutes N: broken after so long (${proof.minutes}), wherever it hangs.\n`,
    )
  else await prove(name, proof, args)
}

const all = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'boolean' },
      help: { type: 'boolean' },
      resume: { type: 'boolean' },
      only: { type: 'string' },
      without: { type: 'string' },
    },
  })
  if (values.help) {
    process.stdout.write(`npm run proof -- ${allUsage}`)
    return
  }
  const { only, without, resume = false, json = false } = values
  const holds = await proveAll(proofs, { only, without, resume, json })
  process.exitCode = holds ? 0 : 1
}

/** On a Postgres and in a folder of this process alone, which are gone at the end, however it ends. */
const prove = async (name: string, proof: Proof, args: string[]): Promise<void> => {
  const flags = proof.flags ?? []
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: proof.takes !== undefined,
    options: Object.fromEntries([
      ['minutes', { type: 'string' as const }],
      ...proof.options.map((option) => [option, { type: 'string' as const }]),
      ...flags.map((flag) => [flag, { type: 'boolean' as const }]),
    ]),
  })
  const given = Object.entries<unknown>(values)
  const options = Object.fromEntries(given.filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
  const [taken] = positionals
  if (proof.takes !== undefined && taken !== undefined) options[proof.takes] = taken
  const ending = createEnding(console.error)
  await removeLeftovers('proof')
  const { postgres, data } = directoriesOf('proof', self)
  ending.later(() => removeData(data))
  await mkdir(data, { mode: 0o700 })
  // also after a failed start, which may have left half a directory
  ending.later(() => removePostgres(postgres))
  const { url } = await startProofServer(postgres)
  const databaseUrl = await emptyDatabase(url, name)
  const ground = { databaseUrl, postgresDir: postgres, dataDir: data, later: ending.later }
  endInTime(name, minutesOf(options.minutes) ?? proof.minutes, ending)
  const isProven = await proof.prove(
    ground,
    options,
    new Set(given.filter(([, value]) => value === true).map(([flag]) => flag)),
  )
  await ending.end(isProven ? 0 : 1)
}

const minutesOf = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`'${text}' must be a number of minutes, such as 10 or 0.5`)
  return Number(text)
}

/** To stop what was started; after that, this process ends without. */
const stoppingMs = 60_000

/** Ends the proof as broken when its time is up, with a line that says so. */
const endInTime = (name: string, minutes: number, ending: Ending): void => {
  const end = (): void => {
    console.error(`${name} is broken: it has not ended after ${minutes} minutes`)
    setTimeout(() => process.exit(1), stoppingMs)
    void ending.end(1)
  }
  setTimeout(end, minutes * 60_000).unref()
}

await main(process.argv.slice(2))

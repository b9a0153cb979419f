import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { keptOutcome, type Outcome } from './kept-outcomes.ts'
import type { Proof } from './proof.ts'

export const allUsage = `all [--only NAME,…] [--without NAME,…] [--resume] [--json]

Plays every proof in its long form, one after another, and prints a table: what holds, and how long it took. Some five hours. One that
takes far longer than it should is ended, and broken.
--resume: what was seen to hold is not played again, if nothing that the proof plays has changed since. It is kept in docs/proved, to be committed: for machines that are
not left alone so long.
--json: the last line is a report with the last line of each.
`

export type Choice = { only?: string | undefined; without?: string | undefined; resume: boolean; json: boolean }

const namesOf = (list: string | undefined): string[] | undefined => list?.split(',')

/** Each in a process of its own: what one leaves in memory is not another's. True if all hold. */
export const proveAll = async (proofs: Readonly<Record<string, Proof>>, choice: Choice): Promise<boolean> => {
  const [only, without = []] = [namesOf(choice.only), namesOf(choice.without)]
  const names = Object.keys(proofs)
  const unknown = [...(only ?? []), ...without].find((name) => !names.includes(name))
  if (unknown !== undefined) {
    console.error(`'${unknown}' must be one of ${names.join(', ')}`)
    return false
  }
  const outcomes: Outcome[] = []
  for (const name of names.filter((name) => (only ?? names).includes(name) && !without.includes(name))) {
    const proof = proofs[name]
    if (!proof) continue
    const kept = keptOutcome(name)
    const earlier = choice.resume ? await kept.find() : undefined
    const outcome = earlier ?? (await outcomeOf(name, proof))
    if (!earlier) await kept.keep(outcome)
    console.log(rowOf(outcome))
    outcomes.push(outcome)
  }
  const broken = outcomes.filter(({ holds }) => !holds).map(({ proof }) => proof)
  console.log(broken.length === 0 ? `all ${outcomes.length} hold` : `broken: ${broken.join(', ')}`)
  if (choice.json) console.log(JSON.stringify({ proof: 'all', proofs: outcomes, broken }))
  return broken.length === 0
}

const rowOf = ({ proof, holds, seconds }: Outcome): string =>
  `${proof.padEnd(12)}${holds ? 'holds ' : 'BROKEN'}${String(seconds).padStart(8)} s`

const program = new URL('../proof.ts', import.meta.url).pathname

/** A proof ends itself when its time is up; one whose event loop hangs cannot. */
const graceMs = 2 * 60_000

const outcomeOf = async (name: string, { flags, minutes }: Proof): Promise<Outcome> => {
  const json = flags?.includes('json') === true
  const begun = performance.now()
  const child = spawn(process.execPath, [program, name, ...(json ? ['--json'] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let last = ''
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!json) console.error(line)
    last = line
  })
  const late = setTimeout(() => child.kill('SIGKILL'), minutes * 60_000 + graceMs)
  const [status] = await once(child, 'close')
  clearTimeout(late)
  const report = json && last.startsWith('{') ? { report: JSON.parse(last) } : {}
  return { proof: name, holds: status === 0, seconds: Math.round((performance.now() - begun) / 1000), ...report }
}

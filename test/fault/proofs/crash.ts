import assert from 'node:assert/strict'
import { openPlace, type Place } from '../place.ts'
import { type Ending, type Kill, playAndLook, playWhole } from '../story.ts'
import { type Ground, type Proof, wholeNumber } from './proof.ts'

type Range = { from: number; to: number; every: number }

/** The proof ends when so many kills in a row come too late: the number of steps varies with the machine. */
const misses = 3

/** A service that is killed at any step ends a story like one that is not. */
export const crash: Proof = {
  usage: `crash [--every N] [--from K] [--to K] [--json]

Plays a pull request's story against the service in a process of its own, which is killed (SIGKILL) at step K and started
again, for every K of its start and of the story, or for every Nth. Steps are counted before and after each statement of the
database and each request to the code host, and while each COMMIT, request and answer is sent. Each time the story must end
as it does without a crash.
--json: the last line is a report.
`,
  minutes: 180,
  options: ['every', 'from', 'to'],
  flags: ['json'],
  prove: async (ground: Ground, { from, to, every }, flags) => {
    const range = { from: wholeNumber(from, 1), to: wholeNumber(to, Infinity), every: wholeNumber(every, 1) }
    const place = await openPlace(ground)
    const tell = (line: string): void => (flags.has('json') ? console.error(line) : console.log(line))
    const { kinds, killed, broken, begun } = await proveIn(place, range, tell)
    await place.close()
    const seconds = Math.round((performance.now() - begun) / 1000)
    const report = { proof: 'crash', seconds, killed, kinds: Object.fromEntries([...kinds].sort()), broken }
    if (flags.has('json')) console.log(JSON.stringify(report))
    return broken.length === 0
  },
}

/** What happened so far: kills by their kind, and what was wrong after some. */
type Record = { kinds: Map<string, number>; killed: number; broken: string[]; begun: number; tell(line: string): void }

const proveIn = async (place: Place, range: Range, tell: (line: string) => void): Promise<Record> => {
  const { ending, steps } = await playWhole(place)
  tell(`some ${steps.start} steps to start, ${steps.story} for the story; a kill at ${nth(range.every)} of them`)
  const record: Record = { kinds: new Map(), killed: 0, broken: [], begun: performance.now(), tell }
  for (const phase of ['start', 'story'] as const) {
    // the rest of a started service's work is the story
    const last = phase === 'start' ? Math.min(range.to, steps.start) : range.to
    let missed = 0
    for (let step = range.from; step <= last && missed < misses; step += range.every) {
      const before = record.killed
      await killAt(place, { in: phase, step }, ending, record)
      missed = record.killed > before ? 0 : missed + 1
      if (record.killed > before && record.killed % 20 === 0) tell(`step ${step} of the ${phase}: ${told(record)}`)
    }
  }
  for (const [kind, count] of [...record.kinds].sort()) tell(`${String(count).padStart(6)} ${kind}`)
  tell(told(record))
  return record
}

const nth = (every: number): string => (every === 1 ? 'each' : `one in ${every}`)

const told = ({ killed, broken, begun }: Record): string => {
  const seconds = (performance.now() - begun) / 1000
  const each = (seconds / Math.max(killed, 1)).toFixed(1)
  return `killed ${killed} times, ${killed - broken.length} ended as without a crash, ${broken.length} otherwise; ${each} s each`
}

type Came = 'in time' | 'too late'

const killAt = async (place: Place, kill: Kill, ending: Ending, record: Record): Promise<Came> => {
  try {
    const { killedAt, ...played } = await playAndLook(place, kill)
    if (killedAt === undefined) return 'too late'
    const kind = kindOf(killedAt)
    record.kinds.set(kind, (record.kinds.get(kind) ?? 0) + 1)
    assert.deepEqual(played, { ending, broken: [] })
  } catch (error) {
    const where = `step ${kill.step} of the ${kill.in} (${place.service.killedAt() ?? 'not killed'})`
    record.broken.push(`${where}: ${error instanceof Error ? error.message : error}`)
    record.tell(record.broken.at(-1) ?? '')
    // whatever it was, the next story begins with a running service
    await place.service.end().catch(() => {})
    place.service.start()
  }
  record.killed += 1
  return 'in time'
}

/** `before POST /api/…` is before a request, `after select …` after a statement. */
const kindOf = (step: string): string => {
  const [when = '', what = ''] = step.split(' ')
  if (what === 'COMMIT') return `${when} a commit`
  if (what === 'an') return `${when} an answer`
  return /^(GET|POST|PATCH|PUT|DELETE)$/.test(what) ? `${when} a request to the code host` : `${when} a statement`
}

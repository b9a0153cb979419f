import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** How the real tool applied a saved plan. */
export type RecordedApply = { exitCode: number; text: string; errors: string; seconds: number; state: unknown }

/**
 * A plan that the real tool made: its text and JSON as `show` gives them, the status of `plan -detailed-exitcode`, and its
 * apply if the demo makes one.
 */
export type RecordedPlan = { stack: string; exitCode: number; text: string; json: unknown; apply?: RecordedApply }

export type Recordings = {
  /** The version of the recorded tool. */
  version: string
  /** State of every stack after the default branch was applied, by file name below the state directory. */
  states: Record<string, unknown>
  /** By content hash. */
  plans: Map<string, RecordedPlan>
}

/** One line each: a change of one plan changes one line. The placeholder replaces the path of the state directory. */
const file = join(import.meta.dirname, 'recordings.jsonl')
const placeholder = '{state}'

/** Reads the recordings, with `stateDir` put in place of the placeholder. */
export const readRecordings = (stateDir: string): Recordings => {
  const escaped = JSON.stringify(stateDir).slice(1, -1)
  const [head = '', ...lines] = readFileSync(file, 'utf8').trimEnd().replaceAll(placeholder, escaped).split('\n')
  const { version, states } = JSON.parse(head) as Pick<Recordings, 'version' | 'states'>
  return { version, states, plans: new Map(lines.map((line) => JSON.parse(line) as [string, RecordedPlan])) }
}

export const writeRecordings = (recordings: Recordings, stateDir: string): void => {
  const { version, states, plans } = recordings
  const sorted = [...plans].toSorted(([a, x], [b, y]) => (`${x.stack}${a}` < `${y.stack}${b}` ? -1 : 1))
  const lines = [{ version, states }, ...sorted].map((line) => JSON.stringify(line).replaceAll(stateDir, placeholder))
  writeFileSync(file, `${lines.join('\n')}\n`)
}

/** Lays out the state as if the default branch had been applied, so a pull request has something to differ from. */
export const seedState = (stateDir: string, { states } = readRecordings(stateDir)): void => {
  for (const [name, state] of Object.entries(states)) writeState(join(stateDir, name), state)
}

export const writeState = (path: string, state: unknown): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(state, undefined, 2))
}

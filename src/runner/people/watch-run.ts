import { setTimeout as wait } from 'node:timers/promises'
import { Run } from '#api/runs/run.ts'
import { isOpen } from '#domain/run-status.ts'
import type { Output } from '../output/output.ts'
import { isUnreachable } from '../service/attempts.ts'
import type { Api } from './api.ts'
import { drawingOf } from './drawing.ts'

/** A run moves by jobs, which take minutes; and many people may watch. */
const POLL_MS = 2000

/** A service that is replaced by its next version is away for less. Each of these asks four times. */
const MOST_FAILURES = 20

/** A run as it is after changes: `since` answers only the rows that changed. */
const merged = (before: Run | undefined, now: Run): Run => {
  if (before === undefined || now.since === undefined) return now
  const rows = new Map((before.stacks ?? []).map((stack) => [stack.key, stack]))
  for (const stack of now.stacks ?? []) rows.set(stack.key, stack)
  return { ...now, stacks: [...rows.values()] }
}

/** Lines that take the place of those drawn before. */
const drawnOn = (output: Output) => {
  let drawn = 0
  return (lines: readonly string[]): void => {
    const back = drawn === 0 ? '' : `\u001b[${drawn}A\u001b[J`
    output.print(`${back}${lines.map((line) => `${line}\n`).join('')}`)
    drawn = lines.length
  }
}

const waveLines = ({ status, by_wave: waves = [] }: Run): string[] => [
  `run: ${status}`,
  ...waves.map(({ wave, counts }) => {
    const said = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
    return `wave ${wave + 1}: ${said.join(', ')}`
  }),
]

/** Without a terminal each line is printed once it is another one than before. */
const toldOn = (output: Output) => {
  let before: string[] = []
  return (run: Run): void => {
    const lines = waveLines(run)
    for (const [i, line] of lines.entries()) if (line !== before[i]) output.print(`${line}\n`)
    before = lines
  }
}

/** Draws a run until it is over. A service that is away for a while is waited for. */
export const watchRun = async (api: Api, path: string, output: Output): Promise<void> => {
  const draw = drawnOn(output)
  const tell = toldOn(output)
  let run: Run | undefined
  for (let failures = 0; ; ) {
    try {
      const since = run?.rev === undefined ? undefined : String(run.rev)
      run = merged(run, (await api.get(path, Run, { text: 'none', since })).content)
      failures = 0
    } catch (error) {
      failures += 1
      if (!isUnreachable(error) || run === undefined || failures > MOST_FAILURES) throw error
    }
    const size = output.size()
    if (size === undefined) tell(run)
    else {
      const away = failures === 0 ? [] : [output.paint('yellow', 'the service does not answer: trying again')]
      draw([...drawingOf(run, size, output.paint, Date.now()), ...away])
    }
    if (!isOpen(run.status)) {
      // What is drawn makes room for the run as it ended.
      draw([])
      return
    }
    await wait(POLL_MS)
  }
}

import { randomUUID } from 'node:crypto'
import { styleText } from 'node:util'
import { askOn, type Typed } from './ask.ts'
import {
  annotation,
  commandsOff,
  commandsOn,
  groupEnd,
  groupStart,
  type Place,
  withoutCommands,
} from './workflow-commands.ts'

/** Output of a program that the client runs, as it comes. */
export type Relay = { stdout(chunk: Uint8Array): void; stderr(chunk: Uint8Array): void }

export type Paint = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

type Stream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number }

/** Where the client writes: a process's standard output and standard error. */
export type Streams = { stdout: Stream; stderr: Stream; stdin?: Typed }

/** Everything the client says, wherever it runs: a terminal, the log of a job, or a program that reads its JSON. */
export type Output = {
  isJson: boolean
  /** Whether a person reads what is printed as it comes. */
  isTerminal: boolean
  /** The terminal's size, as it is now; undefined if there is none. */
  size(): Size | undefined
  /** Text for people. */
  print(text: string): void
  /** The command's answer for programs; nothing without --json. */
  answer(value: unknown): void
  /** A line beside what is printed, for people: where it goes on, or what else they could do. */
  note(text: string): void
  warn(message: string, place?: Place): void
  fail(message: string, place?: Place): void
  /** A line that the next one replaces, on a terminal only; `''` removes it. */
  progress(text: string): void
  /** What `work` prints, folded under a title in a job's log. */
  group<T>(title: string, work: () => Promise<T>): Promise<T>
  /** Passes on another program's output. The job's log takes none of it for a command. */
  relay<T>(work: (relay: Relay) => Promise<T>): Promise<T>
  paint(style: Paint, text: string): string
  /** A person's answer to a question; undefined if nobody is there to answer, and '' for Enter alone. */
  ask(question: string): Promise<string | undefined>
}

export type Size = { columns: number; rows: number }

const placeOf = ({ file, line, column }: Place): string =>
  `${file}${line === undefined ? '' : `:${line}${column === undefined ? '' : `:${column}`}`}: `

/**
 * Makes the output for these streams. With --json standard output holds only the answer. In a job's log both are one stream, so
 * lines keep their order.
 */
export const createOutput = (
  { isJson, isActions }: { isJson: boolean; isActions: boolean },
  streams: Streams,
): Output => {
  const { stdout, stderr } = streams
  const people = isJson ? stderr : stdout
  const diagnostics = isActions ? people : stderr
  const hasProgress = stderr.isTTY === true && !isActions
  let isShown = false

  const paint = (style: Paint, text: string, stream = people): string => styleText(style, text, { stream })
  const progress = (text: string): void => {
    if (!hasProgress || (text === '' && !isShown)) return
    isShown = text !== ''
    stderr.write(`\r\u001b[2K${text}`)
  }
  const write = (stream: Stream, text: string | Uint8Array): void => {
    progress('')
    stream.write(text)
  }
  const say = (level: 'error' | 'warning', message: string, place?: Place): void => {
    // A scan's warnings begin with their place already: their messages are also read on their own.
    const isPlaced = place === undefined || [':', ' '].some((end) => message.startsWith(`${place.file}${end}`))
    const shown = isPlaced ? message : `${placeOf(place)}${message}`
    const label = paint(level === 'error' ? 'red' : 'yellow', `${level}:`, stderr)
    write(diagnostics, isActions ? annotation(level, message, place) : `${label} ${shown}\n`)
  }

  return {
    isJson,
    isTerminal: people.isTTY === true,
    size: () => (people.isTTY === true ? { columns: people.columns ?? 80, rows: people.rows ?? 24 } : undefined),
    print: (text) => write(people, isActions ? withoutCommands(text) : text),
    answer: (value) => {
      if (isJson) write(stdout, `${JSON.stringify(value, undefined, 2)}\n`)
    },
    note: (text) => write(diagnostics, `${paint('dim', text, stderr)}\n`),
    warn: (message, place) => say('warning', message, place),
    fail: (message, place) => say('error', message, place),
    progress,
    group: async (title, work) => {
      write(people, isActions ? groupStart(title) : `${paint('bold', title)}\n`)
      try {
        return await work()
      } finally {
        if (isActions) write(people, groupEnd)
      }
    },
    relay: async (work) => {
      const token = randomUUID()
      let last = 0x0a
      const pass = (stream: Stream) => (chunk: Uint8Array) => {
        write(stream, chunk)
        last = chunk.at(-1) ?? last
      }
      if (isActions) write(people, commandsOff(token))
      try {
        return await work({ stdout: pass(people), stderr: pass(diagnostics) })
      } finally {
        // A command counts only at the beginning of a line.
        if (last !== 0x0a) write(people, '\n')
        if (isActions) write(people, commandsOn(token))
      }
    },
    paint: (style, text) => paint(style, text),
    ask: async (question) => {
      // Not before: a process's standard input is opened by the first look at it.
      const { stdin } = streams
      if (isActions || stdin?.isTTY !== true || stderr.isTTY !== true) return undefined
      progress('')
      return await askOn(stdin, stderr, question)
    },
  }
}

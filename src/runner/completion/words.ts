import { commonFlags, type Flag, type Flags } from '../command.ts'
import type { Described } from '../listed.ts'

/** What comes after a flag: nothing, one of a few words, a file, or anything. */
export type Taken = { kind: 'nothing' } | { kind: 'word'; among: readonly string[] } | { kind: 'file' | 'text' }

export type FlagWords = { name: string; short: string | undefined; says: string; multiple: boolean; takes: Taken }

/** A command as a shell completes it. */
export type CommandWords = {
  name: string
  says: string
  flags: FlagWords[]
  /** Of its arguments that are no flags; nothing if it takes none. */
  takes: Taken
}

const files: ReadonlySet<string> = new Set(['FILE', 'DIR', 'PATH', 'PROGRAM'])

const takenBy = ({ value, among }: Flag): Taken => {
  if (value === undefined) return { kind: 'nothing' }
  if (among !== undefined) return { kind: 'word', among }
  return { kind: files.has(value) ? 'file' : 'text' }
}

const flagsOf = (flags: Flags): FlagWords[] =>
  Object.entries({ ...flags, ...commonFlags }).map(([name, flag]) => ({
    ...{ name, short: flag.short, says: flag.says, multiple: flag.multiple === true },
    takes: takenBy(flag),
  }))

const operandsOf = ({ operands, among, takesProgram }: Described): Taken => {
  if (among !== undefined) return { kind: 'word', among }
  return { kind: operands > 0 || takesProgram ? 'file' : 'nothing' }
}

/** The words that a shell completes, of the client's own list of commands; `help` is one that takes the others. */
export const wordsOf = (commands: readonly Described[]): CommandWords[] => [
  ...commands.map((command) => ({
    ...{ name: command.name, says: command.says, flags: flagsOf(command.flags) },
    takes: operandsOf(command),
  })),
  {
    ...{ name: 'help', says: 'Say how a command is used.', flags: [] },
    takes: { kind: 'word', among: commands.map(({ name }) => name) },
  },
]

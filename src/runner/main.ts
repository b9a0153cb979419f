import { nearest } from '#domain/edit-distance.ts'
import { Problem } from '#errors.ts'
import type { Context } from './command.ts'
import { commands } from './commands/index.ts'
import type { Environment } from './environment.ts'
import { type ExitCode, exit, exitOf } from './exit.ts'
import { clientHelp, commandHelp } from './help.ts'
import type { Listed } from './listed.ts'
import { createOutput, type Output, type Streams } from './output/output.ts'
import { version } from './version.ts'

const isAsked = (argv: readonly string[], ...flags: string[]): boolean => {
  const end = argv.indexOf('--')
  return (end < 0 ? argv : argv.slice(0, end)).some((word) => flags.includes(word))
}

const findCommand = (name: string): Listed => {
  const found = commands.find((command) => command.name === name)
  if (found !== undefined) return found
  const meant = nearest(
    name,
    commands.map((command) => command.name),
  )
  const hint = meant === undefined ? ` ('svc --help' lists them)` : `: did you mean svc ${meant}?`
  throw new Problem('invalid', `'${name}' is not a command${hint}`)
}

/** `svc --json scan` is `svc scan --json`: the flag is every command's, so it may come before their names. */
const commandFirst = (argv: readonly string[]): readonly string[] => {
  const named = argv.findIndex((word) => word !== '--json')
  return named > 0 ? [...argv.slice(named), ...argv.slice(0, 1)] : argv
}

const perform = async (argv: readonly string[], context: Context): Promise<ExitCode> => {
  const [name, ...rest] = commandFirst(argv)
  const { output } = context
  const [about] = rest
  if (name === 'help' && about !== undefined && !about.startsWith('-')) {
    const listed = findCommand(about)
    output.print(commandHelp(listed, await listed.load()))
    return exit.ok
  }
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    output.print(clientHelp(commands))
    return name === undefined ? exit.error : exit.ok
  }
  if (name === '--version') {
    output.print(`${version}\n`)
    output.answer({ version })
    return exit.ok
  }
  if (name.startsWith('-')) throw new Problem('invalid', `${name}: a command comes first ('svc --help' lists them)`)
  const listed = findCommand(name)
  const command = await listed.load()
  if (isAsked(rest, '--help', '-h')) {
    output.print(commandHelp(listed, command))
    return exit.ok
  }
  return await command.run(rest, context)
}

/** Prints an error for people and for programs. Only an unforeseen error shows its stack. */
const tell = async (error: unknown, output: Output): Promise<void> => {
  const { describeProblem } = await import('./service/describe-problem.ts')
  const message = error instanceof Problem ? describeProblem(error) : `unexpected error: ${stackOf(error)}`
  output.fail(message)
  const { code = 'internal', details } = error instanceof Problem ? error : {}
  output.answer({ error: { code, message, ...(details === undefined ? {} : { details }) } })
}

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/** Runs the client with these arguments and resolves with its exit status; never rejects. */
export const main = async (
  argv: readonly string[],
  environment: Environment,
  cwd: string,
  streams: Streams = process,
): Promise<ExitCode> => {
  const output = createOutput({ isJson: isAsked(argv, '--json'), isActions: environment.isActions }, streams)
  try {
    return await perform(argv, { environment, output, cwd })
  } catch (error) {
    await tell(error, output)
    return exitOf(error)
  } finally {
    output.progress('')
  }
}

import { type Command, commonFlags, type Flag } from './command.ts'
import { variables } from './variables.ts'

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('')
}

/** A flag as its help writes it: `-h, --help`, `--url=URL`. */
export const written = ([name, { value, short }]: [string, Flag]): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : `=${value}`}`

/** What `svc <command> --help` prints. */
export const commandHelp = ({ says }: { says: string }, { name, usage, text, flags }: Command): string =>
  `Usage: svc ${name} ${usage}

${says}

${text}

Flags:
${columns(
  Object.entries({ ...flags, ...commonFlags }).map((entry) => [
    written(entry),
    `${entry[1].says}${entry[1].multiple ? '; may be given several times' : ''}`,
  ]),
)}`

/** What `svc --help` prints. */
export const clientHelp = (commands: readonly { name: string; says: string }[]): string =>
  `Usage: svc <command> [flags]

Commands:
${columns(commands.map(({ name, says }) => [name, says]))}
  svc help <command> says more about one; svc --version prints the version.

Exit status: 0 success; 1 error; 2 changes or affected stacks; 3 refused by the service.

Environment:
${columns(variables)}`

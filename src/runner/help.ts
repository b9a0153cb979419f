import { type Command, commonFlags, type Flag } from './command.ts'

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('')
}

const written = ([name, { value, short }]: [string, Flag]): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : `=${value}`}`

/** What `svc <command> --help` prints. */
export const commandHelp = ({ name, says, usage, text, flags }: Command): string =>
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
export const clientHelp = (commands: readonly Command[]): string =>
  `Usage: svc <command> [flags]

Commands:
${columns(commands.map(({ name, says }) => [name, says]))}
  svc help <command> says more of one; svc --version prints the version.

Exit status: 0 success; 1 error; 2 changes or affected stacks; 3 refused by the service.

Environment:
${columns([
  ['SVC_URL', "the service's address"],
  ['SVC_AUDIENCE', "audience of the job's OIDC tokens; the address above when unset"],
  ['SVC_RUN_ID', 'the run that svc resolve registered, or that dispatched the job'],
  ['SVC_MODE', 'of a dispatched job: plan, apply or drift'],
  ['SVC_WAVE', 'of a dispatched job: its wave, 2 or 2.1'],
  ['SVC_SHA', 'of a dispatched job: the commit to work on'],
  ['SVC_MATRIX', "the job's entry of the matrix, as JSON: toJSON(matrix)"],
  ['SVC_STACK', 'key of a stack, where there is no matrix'],
  ['SVC_UNCONFIRMED', 'true where svc resolve could not reach the service'],
  ['SVC_TOOL', 'the tool to run, a name or a path, in place of terraform or tofu'],
  ['SVC_MASK', 'names of further variables whose values are masked in all that is sent'],
  ['SVC_WORK_DIR', 'where plans and results are kept between steps; below RUNNER_TEMP when unset'],
  ['SVC_CACHE_DIR', 'where scans are kept'],
  ['NO_COLOR', 'no colour'],
])}`

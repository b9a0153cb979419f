import { writeFile } from 'node:fs/promises'
import { limits } from '#domain/limits.ts'
import { clientDelays } from '#domain/retry.ts'
import { type ErrorCode, Problem, statusOf } from '#errors.ts'
import { commonFlags, type Flags } from '#runner/command.ts'
import { commands } from '#runner/commands/index.ts'
import { exit, exitOf } from '#runner/exit.ts'
import { written } from '#runner/help.ts'
import { type Described, described } from '#runner/listed.ts'
import { specifiedPace } from '#runner/service/attempts.ts'
import { variables } from '#runner/variables.ts'

const row = (cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

const flagTable = (flags: Flags): string[] => [
  row(['flag', 'does']),
  '|---|---|',
  ...Object.entries(flags).map((entry) =>
    row([`\`${written(entry)}\``, `${entry[1].says}${entry[1].multiple ? '; may be given several times' : ''}`]),
  ),
]

const section = ({ name, says, usage, text, flags }: Described): string[] => [
  `## svc ${name}`,
  '',
  says,
  '',
  '```',
  `svc ${name} ${usage}`,
  '```',
  '',
  text,
  '',
  ...(Object.keys(flags).length > 0 ? [...flagTable(flags), ''] : []),
]

const codes = Object.keys(statusOf) as ErrorCode[]

/** The service's error codes that end a command with this status. */
const codesOf = (status: number): string =>
  codes
    .filter((code) => exitOf(new Problem(code, '')) === status)
    .map((code) => `\`${code}\``)
    .join(', ')

const statuses: [status: number, means: string][] = [
  [exit.ok, 'success: nothing changes, or it was applied'],
  [exit.error, `error: the tool, a check or the call failed; of the service's errors ${codesOf(exit.error)}`],
  [exit.changes, 'changes were found, or stacks are affected; 0 with `--changes-ok`'],
  [exit.refused, `the service refused (${codesOf(exit.refused)}), or could not be reached, which prevents an apply`],
]

const kb = (bytes: number): string => `${bytes / 1024} KB`

const delays = clientDelays.map((ms) => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`)).join(', ')

const intro = `Made from the client's own commands by \`node src/dev/docs/client-docs.ts\`; not to be edited by hand.

\`svc\` is the half of the product that runs in CI jobs, where the cloud credentials are: it scans the repository, runs the tool and reports
to the service. It resolves which stacks are affected, and in which order, by the same code as the service. In a person's shell it does the same and
reports nothing. [svc-plan.yml](../src/runner/workflows/svc-plan.yml) and [svc-run.yml](../src/runner/workflows/svc-run.yml) call it in jobs;
\`svc init\` writes them into a repository.

People use it as well: with \`SVC_URL\` and an API key in \`SVC_API_KEY\` it lists runs, stacks, locks and the audit log, watches a run, asks the
gate, releases locks and plans again, in the API's own words.

- **Output**: tables and colour on a terminal, groups, annotations and a summary in a job. With \`--json\` standard output has JSON alone.
- **Identity**: each attempt at a request sends a new OIDC token of the job. A job that gets none (a fork's pull request) reports
  nothing and ends with 0.
- **People**: tables fit the terminal, ids are shortened on it, and other programs get both whole. Lists have the API's filters and its pages:
  \`--limit\`, \`--after\`, \`--all\`.
- **The service cannot be reached**: network errors, timeouts and 5xx are tried again after ${delays}, each attempt bounded by
  ${specifiedPace.attemptMs / 1000} s; a 4xx never. \`svc resolve\` and \`svc plan\` then go on by themselves, and what they did is marked
  unconfirmed. \`svc apply\` does not start the tool.
- **Secrets**: values that a plan marks sensitive, those of variables that are declared sensitive (hooks may set or decrypt them), those that
  the job's environment holds under names of secrets, and those that \`SVC_MASK\` names are masked in all that is sent. With
  \`plan_output: summary\` no plan text is sent at all.
- **Encrypted values**: a plan is not tried with a \`.tfvars\` file that git-crypt encrypted, and one of sops is warned of: decrypt it in a step
  before svc's, or by \`before_init\`.
- **Limits**: a plan text is cut at ${kb(limits.planTextBytes)}, a check's summary at ${kb(limits.checkSummaryBytes)}, its details at ${kb(limits.checkDetailsBytes)}.
- **Signals** are passed on to the tool, which gets time to release the lock of its state; what came of it is reported.
`

/** docs/client.md, made from the client's table of commands: a test compares the committed page with this text. */
export const clientDocs = async (): Promise<string> =>
  [
    '# The client',
    '',
    intro,
    '## Commands',
    '',
    row(['command', 'does']),
    '|---|---|',
    ...commands.map(({ name, says }) => row([`[svc ${name}](#svc-${name})`, says])),
    '',
    '`svc help <command>` says the same as this page, `svc --version` prints the version. Every command has these flags:',
    '',
    ...flagTable(commonFlags),
    '',
    '## Exit status',
    '',
    row(['status', 'means']),
    '|---|---|',
    ...statuses.map(([status, means]) => row([String(status), means])),
    '',
    'Of several stacks in one job the gravest counts: an error, then a refusal, then changes.',
    '',
    '## Environment',
    '',
    row(['variable', 'says']),
    '|---|---|',
    ...variables.map(([name, says]) => row([`\`${name}\``, says])),
    '',
    'A flag wins over its variable. Values are trimmed, and an empty one counts as unset. Of GitHub Actions it reads the variables that',
    'each job has: `GITHUB_*`, `RUNNER_TEMP`, and `ACTIONS_ID_TOKEN_REQUEST_URL` with its token.',
    '',
    ...(await described(commands)).flatMap(section),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')

if (import.meta.main) await writeFile(new URL('../../../docs/client.md', import.meta.url), await clientDocs())

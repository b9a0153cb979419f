type Group = {
  about: string
  /** By verb: its arguments, and what it does. */
  commands: Record<string, [takes: string, does: string]>
}

const groups: Record<string, Group> = {
  config: {
    about: 'Checks the environment variables that the service would start with, and nothing else.',
    commands: { check: ['[--json]', 'say what is wrong with the configuration'] },
  },
  'api-key': {
    about: `Keys for automation: a key sees every repository and counts as an administrator. Needs only DATABASE_URL.
A name has up to 64 letters, digits, '.', '_' and '-'; the audit log shows it as apikey:NAME.`,
    commands: {
      create: ['--name NAME [--json]', 'make an API key and print it, this once'],
      list: ['[--json]', 'list all keys, without their secrets'],
      revoke: ['NAME|ID [--json]', 'revoke a key at once'],
    },
  },
  installation: {
    about: `Moves all that the service knows of an account from one service to another. Needs only DATABASE_URL. FILE may be -:
the standard output or input. Nothing of the account may be under way; from its export on it is paused, as if
the app were suspended on it, until it is resumed. Both services must be of one version. What is done is told on
standard error.`,
    commands: {
      export: ['ACCOUNT|ID --file FILE [--json]', 'pause an installation and write it to a file'],
      import: ['--file FILE [--json]', 'read one into a service that does not have it'],
      resume: ['ACCOUNT|ID [--json]', 'serve one again that was paused'],
    },
  },
}

/** A command's description is beside it, or below it if the command is long. */
const line = (command: string, does: string): string =>
  command.length <= 42 ? `  ${command.padEnd(42)} ${does}\n` : `  ${command}\n${' '.repeat(45)}${does}\n`

const linesOf = (name: string, { commands }: Group): string =>
  Object.entries(commands)
    .map(([verb, [takes, does]]) => line(`svc-server ${name} ${verb} ${takes}`, does))
    .join('')

/** How `svc-server` is used. */
const usage = `svc-server: the stack orchestration service

Usage:
${line('svc-server', 'start the service')}${Object.entries(groups)
  .map(([name, group]) => linesOf(name, group))
  .join(
    '',
  )}${line('svc-server --help', 'this, or what one command does: svc-server api-key --help')}${line('svc-server --version [--json]', 'print the version')}
Everything is configured by environment variables: .env.example names each of them; api-key and installation need only DATABASE_URL.
Stop the service with SIGTERM or SIGINT: it first answers the requests under way; a second signal stops it at
once. Exit status: 0 success, 1 failure.
`

export const groupOf = (name: string): Group | undefined => (Object.hasOwn(groups, name) ? groups[name] : undefined)

/** The usage of one group of commands if its name comes first, else of all. */
export const usageOf = (name: string | undefined): string => {
  const group = name === undefined ? undefined : groupOf(name)
  if (name === undefined || !group) return usage
  return `svc-server ${name}\n\nUsage:\n${linesOf(name, group)}\n${group.about}\n`
}

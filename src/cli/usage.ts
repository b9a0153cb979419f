type Group = {
  about: string
  /** By verb: its arguments, and what it does. */
  commands: Record<string, [takes: string, does: string]>
}

const groups: Record<string, Group> = {
  config: {
    about: 'Looks at the environment variables that the service would start with, and at nothing else.',
    commands: { check: ['[--json]', 'say what is wrong with the configuration'] },
  },
  'api-key': {
    about: `Keys for automation: whoever has one sees every repository and counts as an administrator. Needs DATABASE_URL alone.
A name has up to 64 letters, digits, '.', '_' and '-'; the audit log shows it as apikey:NAME.`,
    commands: {
      create: ['--name NAME [--json]', 'make an API key and print it, this once'],
      list: ['[--json]', 'all keys, without what would let one use them'],
      revoke: ['NAME|ID [--json]', 'end a key, at once'],
    },
  },
}

/** What a command does stands beside it, or below where the command is long. */
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
  )}${line('svc-server --help', 'this, or what one command does: svc-server api-key --help')}${line('svc-server --version [--json]', 'which version this is')}
Everything is configured by environment variables: .env.example names each of them; api-key needs DATABASE_URL alone.
Stop the service with SIGTERM or SIGINT: it answers the requests that are under way first; a second signal stops it at
once. Exit status: 0 done, 1 not.
`

export const groupOf = (name: string): Group | undefined => (Object.hasOwn(groups, name) ? groups[name] : undefined)

/** Of one group of commands, where its name comes first; else of all. */
export const usageOf = (name: string | undefined): string => {
  const group = name === undefined ? undefined : groupOf(name)
  if (name === undefined || !group) return usage
  return `svc-server ${name}\n\nUsage:\n${linesOf(name, group)}\n${group.about}\n`
}

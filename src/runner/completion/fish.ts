import type { CommandWords, FlagWords, Taken } from './words.ts'

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`

const value = (takes: Taken): string => {
  if (takes.kind === 'word') return ` -x -a ${quoted(takes.among.join(' '))}`
  if (takes.kind === 'file') return ' -r -F'
  return takes.kind === 'text' ? ' -x' : ''
}

const after = (command: string): string => `complete -c svc -n '__fish_seen_subcommand_from ${command}'`

const flagLine = (command: string, { name, short, says, takes }: FlagWords): string =>
  `${after(command)} -l ${name}${short === undefined ? '' : ` -s ${short}`}${value(takes)} -d ${quoted(says)}\n`

const operandLine = (command: string, takes: Taken): string => {
  if (takes.kind === 'word') return `${after(command)} -a ${quoted(takes.among.join(' '))}\n`
  return takes.kind === 'file' ? `${after(command)} -F\n` : ''
}

/** The script for fish. */
export const fishScript = (commands: readonly CommandWords[]): string => `# Completion of svc for fish:
#   svc completion fish | source
complete -c svc -f
${commands
  .map(
    ({ name, says, flags, takes }) =>
      `complete -c svc -n __fish_use_subcommand -a ${name} -d ${quoted(says)}\n${operandLine(name, takes)}${flags
        .map((flag) => flagLine(name, flag))
        .join('')}`,
  )
  .join('')}`

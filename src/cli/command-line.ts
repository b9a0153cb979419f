import { parseArgs } from 'node:util'
import { groupOf, usageOf } from './usage.ts'

/** What the operator asked of `svc-server`. */
export type Command =
  | { kind: 'serve' }
  | { kind: 'help'; usage: string }
  | { kind: 'version'; json: boolean }
  | { kind: 'key-create'; name: string; json: boolean }
  | { kind: 'key-list'; json: boolean }
  | { kind: 'key-revoke'; key: string; json: boolean }
  | { kind: 'config-check'; json: boolean }
  | { kind: 'installation-export'; name: string; file: string; json: boolean }
  | { kind: 'installation-import'; file: string; json: boolean }
  | { kind: 'installation-resume'; name: string; json: boolean }

/** What is wrong with the arguments, and the usage of the nearest command. */
export type Misuse = { problem: string; usage: string }

/** The command in these arguments, or what is wrong with them. */
export const readCommandLine = (args: readonly string[]): Command | Misuse => {
  const misuse = (problem: string): Misuse => ({ problem, usage: usageOf(args[0]) })
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    if (values.help) return { kind: 'help', usage: usageOf(positionals[0]) }
    if (values.version && positionals.length === 0) return { kind: 'version', json: values.json ?? false }
    const command = commandOf(positionals, values)
    return typeof command === 'string' ? misuse(command) : command
  } catch (error) {
    // Node explains at length how to pass a positional argument that begins with a dash: nothing here takes one
    return misuse((error as Error).message.replace(/\. To specify .*$/s, ''))
  }
}

const options = {
  file: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  name: { type: 'string' },
  version: { type: 'boolean' },
} as const

type Values = { json?: boolean; name?: string; file?: string }

/** Whom these are about comes without a flag. */
const withOperand = ['api-key revoke', 'installation export', 'installation resume']

/** Flags with a value, and what they are for. */
const flags = {
  name: ['api-key create'],
  file: ['installation export', 'installation import'],
} as const

const flagProblem = (asked: string, values: Values): string | undefined => {
  for (const [flag, uses] of Object.entries(flags)) {
    if (values[flag as keyof typeof flags] === undefined || uses.some((use) => use === asked)) continue
    const instead = flag === 'name' && withOperand.includes(asked) ? '; here the name comes without a flag' : ''
    return `${asked === '' ? '' : `${asked}: `}--${flag} is for ${uses.join(' and ')}${instead}`
  }
  return undefined
}

/** A text says what is wrong. */
const commandOf = ([group, verb, ...rest]: string[], values: Values): Command | string => {
  const json = values.json ?? false
  if (group === undefined) return flagProblem('', values) ?? serve(json)
  const known = groupOf(group)
  if (!known) return `unknown command ${group}`
  const verbs = Object.keys(known.commands)
  if (verb === undefined) return `${group}: say what to do: ${verbs.join(', ')}`
  const asked = `${group} ${verb}`
  if (!verbs.includes(verb)) return `unknown command ${asked}: ${group} can ${verbs.join(', ')}`
  const [operand, ...more] = rest
  const extra = withOperand.includes(asked) ? more[0] : operand
  const problem = flagProblem(asked, values)
  if (problem !== undefined) return problem
  if (extra !== undefined) return `${asked}: unknown argument ${extra}`
  return group === 'installation' ? installationCommand(verb, operand, values) : otherCommand(asked, operand, values)
}

const otherCommand = (asked: string, operand: string | undefined, { json = false, name }: Values): Command | string => {
  switch (asked) {
    case 'api-key create':
      return name === undefined ? `${asked}: --name must say what the key is for` : { kind: 'key-create', name, json }
    case 'api-key list':
      return { kind: 'key-list', json }
    case 'api-key revoke':
      return operand === undefined
        ? `${asked}: name the key, or give its id`
        : { kind: 'key-revoke', key: operand, json }
    default:
      return { kind: 'config-check', json }
  }
}

const installationCommand = (
  verb: string,
  name: string | undefined,
  { json = false, file }: Values,
): Command | string => {
  const asked = `installation ${verb}`
  if (verb !== 'import' && name === undefined) return `${asked}: name the account that has the app, or give its id`
  if (verb === 'resume') return { kind: 'installation-resume', name: name ?? '', json }
  if (file === undefined || file === '')
    return `${asked}: --file must name the file, or be - for the standard ${verb === 'import' ? 'input' : 'output'}`
  if (verb === 'import') return { kind: 'installation-import', file, json }
  if (file === '-' && json) return `${asked}: --json prints to the standard output, which has the file`
  return { kind: 'installation-export', name: name ?? '', file, json }
}

const serve = (json: boolean): Command | string =>
  json ? '--json is for commands that print something' : { kind: 'serve' }

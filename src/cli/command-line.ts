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
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  name: { type: 'string' },
  version: { type: 'boolean' },
} as const

type Values = { json?: boolean; name?: string }

/** A text says what is wrong. */
const commandOf = ([group, verb, ...rest]: string[], values: Values): Command | string => {
  const json = values.json ?? false
  if (group === undefined) return values.name === undefined ? serve(json) : '--name is for api-key create'
  const known = groupOf(group)
  if (!known) return `unknown command ${group}`
  const verbs = Object.keys(known.commands)
  if (verb === undefined) return `${group}: say what to do: ${verbs.join(', ')}`
  const asked = `${group} ${verb}`
  if (!verbs.includes(verb)) return `unknown command ${asked}: ${group} can ${verbs.join(', ')}`
  const [operand, ...more] = rest
  const extra = asked === 'api-key revoke' ? more[0] : operand
  if (values.name !== undefined && asked !== 'api-key create') {
    return `${asked}: --name is for api-key create${asked === 'api-key revoke' ? '; here the name comes without a flag' : ''}`
  }
  if (extra !== undefined) return `${asked}: unknown argument ${extra}`
  switch (asked) {
    case 'api-key create':
      if (values.name === undefined) return `${asked}: --name must say what the key is for`
      return { kind: 'key-create', name: values.name, json }
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

const serve = (json: boolean): Command | string =>
  json ? '--json is for commands that print something' : { kind: 'serve' }

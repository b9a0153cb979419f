import { parseArgs } from 'node:util'

/** What the operator asked of `svc-server`. */
export type Command =
  | { kind: 'serve' }
  | { kind: 'help' }
  | { kind: 'key-create'; name: string; json: boolean }
  | { kind: 'key-list'; json: boolean }
  | { kind: 'key-revoke'; key: string; json: boolean }
  | { kind: 'config-check'; json: boolean }

export const usage = `svc-server: the stack orchestration service

Usage:
  svc-server                                 start the service
  svc-server config check [--json]           say what is wrong with the configuration
  svc-server api-key create --name NAME [--json]
                                             make an API key and print it, this once
  svc-server api-key list [--json]           all keys, without what would let one use them
  svc-server api-key revoke NAME|ID [--json] end a key, at once
  svc-server --help

Everything is configured by environment variables: .env.example names each of them; api-key needs DATABASE_URL alone.
Stop the service with SIGTERM or SIGINT: it answers the requests that are under way first; a second signal stops it at
once. Exit status: 0 done, 1 not.
`

/** The command in these arguments, or what is wrong with them. */
export const readCommandLine = (args: readonly string[]): Command | { problem: string } => {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    if (values.help) return { kind: 'help' }
    return commandOf(positionals, values)
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

const options = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  name: { type: 'string' },
} as const

type Values = { json?: boolean; name?: string }

const commandOf = ([group, verb, ...rest]: string[], values: Values): Command | { problem: string } => {
  const json = values.json ?? false
  const [operand, ...more] = rest
  const asked = [group, verb].filter((word) => word !== undefined).join(' ')
  const extra = asked === 'api-key revoke' ? more[0] : operand
  if (extra !== undefined) return { problem: `unknown argument ${extra}` }
  if (values.name !== undefined && asked !== 'api-key create') return { problem: '--name is for api-key create' }
  switch (asked) {
    case '':
      return json ? { problem: '--json is for commands that answer something' } : { kind: 'serve' }
    case 'config check':
      return { kind: 'config-check', json }
    case 'api-key create':
      if (values.name === undefined) return { problem: 'api-key create: --name must say what the key is for' }
      return { kind: 'key-create', name: values.name, json }
    case 'api-key list':
      return { kind: 'key-list', json }
    case 'api-key revoke':
      if (operand === undefined) return { problem: 'api-key revoke: name the key, or give its id' }
      return { kind: 'key-revoke', key: operand, json }
    default:
      return { problem: `unknown command ${asked}` }
  }
}

import { type Block, type Body, blocksOf, expressionOf } from '../../hcl/body.ts'
import { findIn } from '../../hcl/calls.ts'
import { literal } from '../../hcl/evaluate.ts'
import { HclError, positionOf } from '../../hcl/hcl-error.ts'
import { parseHcl } from '../../hcl/parse-hcl.ts'
import { bare, enclosed } from '../../hcl/split.ts'
import { parseTfJson } from '../../hcl/tf-json.ts'
import { encryptedBy, saysEncrypted } from '../tree/encrypted.ts'

/*
 * The facts that a scan needs of one file, and nothing else. The cache keeps them for a blob id, so they hold no path and are
 * plain JSON. Values are expressions as written; their results depend on the stack.
 */

export type Expressions = Record<string, string>

export type Place = { line: number; column: number }

export type BackendFacts = { type: string; fields: Expressions }

export type ModuleCall = Place & { name: string; arguments: Expressions }

/** A data source that reads the outputs of another stack's state. */
export type RemoteState = Place & { kind: StateReader; name: string; fields: Expressions }

export type StateReader = 'terraform_remote_state' | 'tfe_outputs'

/**
 * The first argument of a function that reads a file, or of `fileset` and the pattern; or a string that no such function takes, and
 * that begins with the module's path or where the tool runs: `source_dir` of an archive, an argument of a module.
 */
export type FileRead = { path: string; pattern?: string; isMereString?: true }

export type FileFacts = {
  /** What could not be read. The file counts as declaring something, so its stack is planned and the tool says more. */
  errors?: (Place & { message: string })[]
  backend?: BackendFacts
  modules?: ModuleCall[]
  remoteStates?: RemoteState[]
  /** Variables with their defaults; null if there is none. */
  variables?: Record<string, string | null>
  locals?: Expressions
  requiredVersion?: string
  /** Calls of functions that read files, and strings that may name some. */
  reads?: FileRead[]
  /** Resources, data sources, modules or provider configuration: a root module has them, a file of mere names does not. */
  declares?: boolean
}

const DECLARING = new Set(['resource', 'data', 'ephemeral', 'module', 'provider', 'import', 'check'])
const READ = ['terraform', 'module', 'variable', 'locals']
const STATE_READERS: readonly StateReader[] = ['terraform_remote_state', 'tfe_outputs']

/** The outermost blocks of the language: after a fault, reading goes on at the next of them. */
const BLOCKS = new Set([...DECLARING, ...READ, 'output', 'moved', 'removed'])

const expressions = (body: Body): Expressions =>
  Object.fromEntries([...body.attributes.values()].map(({ name, expression }) => [name, expression]))

const expressionsIn = ({ attributes, blocks }: Body): string[] => [
  ...[...attributes.values()].map(({ expression }) => expression),
  ...blocks.flatMap(({ body }) => expressionsIn(body)),
]

/** The fields of a block, with its inner blocks (`workspaces` of remote and cloud) as if they were objects. */
export const fieldsOf = (body: Body): Expressions => {
  const fields = expressions(body)
  for (const block of body.blocks) {
    const inside = Object.entries(fieldsOf(block.body)).map(([name, value]) => `${name} = ${value}\n`)
    fields[block.type] = `{\n${inside.join('')}}`
  }
  return fields
}

const addTerraform = (facts: FileFacts, { body }: Block): void => {
  const [cloud] = blocksOf(body, 'cloud')
  const [backend] = blocksOf(body, 'backend')
  const type = cloud === undefined ? backend?.labels[0] : 'cloud'
  const holder = cloud ?? backend
  if (holder !== undefined && type !== undefined) facts.backend = { type, fields: fieldsOf(holder.body) }
  const version = expressionOf(body, 'required_version')
  const text = version === undefined ? undefined : literal(version)
  if (typeof text === 'string') facts.requiredVersion = text
}

const addVariable = (facts: FileFacts, { labels, body }: Block): void => {
  facts.variables ??= {}
  facts.variables[labels[0] ?? ''] = expressionOf(body, 'default') ?? null
}

const addRemoteState = (facts: FileFacts, { labels, body, at }: Block, text: string): void => {
  const kind = STATE_READERS.find((reader) => reader === labels[0])
  if (kind === undefined) return
  facts.remoteStates ??= []
  facts.remoteStates.push({ kind, name: labels[1] ?? '', ...positionOf(text, at), fields: fieldsOf(body) })
}

const factsOf = (body: Body, text: string): FileFacts => {
  const facts: FileFacts = {}
  for (const block of body.blocks) {
    if (DECLARING.has(block.type)) facts.declares = true
    if (block.type === 'terraform') addTerraform(facts, block)
    else if (block.type === 'variable') addVariable(facts, block)
    else if (block.type === 'locals') facts.locals = { ...facts.locals, ...expressions(block.body) }
    else if (block.type === 'module') {
      facts.modules ??= []
      const call = { name: block.labels[0] ?? '', ...positionOf(text, block.at), arguments: expressions(block.body) }
      facts.modules.push(call)
    } else if (block.type === 'data') addRemoteState(facts, block, text)
  }
  return facts
}

/** `file`, `filebase64sha256`, `templatefile`, `fileset` and the like; all of them contain the word. */
const READER = /^(?:file(?:exists|set|md5|sha1|sha256|sha512|base64|base64sha256|base64sha512)?|templatefile)$/

/** A quick look: most texts read nothing. Each name is spelled out, since `\w*` in its place would take the square of a text's length. */
const CALL = /file(?:exists|set|md5|sha1|sha256|sha512|base64|base64sha256|base64sha512)?\s{0,40}\(/

const WANTED = {
  call: (name: string) => READER.test(name),
  string: /"\$\{\s{0,40}path\.(?:module|root|cwd)\b/y,
}

const ABSOLUTE = /^abspath\s{0,40}\(/

/** A path without `abspath`, which names the same file. */
const withoutAbspath = (path: string): string => {
  const text = bare(path)
  const opening = ABSOLUTE.exec(text)?.[0]
  return (opening === undefined ? undefined : enclosed(text.slice(opening.length - 1))) ?? path
}

/** Whether a string may lead out of the directory that it begins with: most name what is in it. */
const mayLeadOut = (string: string): boolean => string.includes('..') || string.lastIndexOf('${') > 1

const readsIn = (text: string, modules: readonly ModuleCall[] = []): Pick<FileFacts, 'reads'> => {
  if (!CALL.test(text) && !text.includes('path.')) return {}
  const { calls, strings } = findIn(text, WANTED)
  const sources = new Set(modules.map(({ arguments: { source } }) => source))
  const reads: FileRead[] = calls.flatMap(({ name, args: [path, pattern] }) => {
    if (path === undefined) return []
    return { path: withoutAbspath(path), ...(name === 'fileset' && pattern !== undefined ? { pattern } : {}) }
  })
  for (const path of new Set(strings))
    if (mayLeadOut(path) && !sources.has(path)) reads.push({ path, isMereString: true })
  return reads.length === 0 ? {} : { reads }
}

const faultOf = ({ line, column, message }: HclError) => ({
  line,
  column,
  message: message.replace(/^\d+:\d+: /, ''),
})

const mayRead = (text: string): boolean => text.includes('file') || text.includes('path.')

const readNative = (text: string, keep: ReadonlySet<string>): FileFacts => {
  const errors: FileFacts['errors'] = []
  const fault = (error: HclError): void => void errors.push(faultOf(error))
  const facts = factsOf(parseHcl(text, { keep, recover: { known: BLOCKS, fault } }), text)
  if (mayRead(text)) Object.assign(facts, readsIn(text, facts.modules))
  return errors.length === 0 ? facts : { ...facts, declares: true, errors }
}

/**
 * Reads the facts of a file. Data sources are read only if the text names a kind that reads states. A block that cannot be read
 * is left out, and the others stay; a file of JSON is read as a whole or not at all.
 */
export const readFacts = (text: string, syntax: 'hcl' | 'json'): FileFacts => {
  const by = encryptedBy(text)
  if (by !== undefined) return { declares: true, errors: [{ line: 1, column: 1, message: saysEncrypted(by) }] }
  if (syntax === 'hcl') {
    const readsStates = STATE_READERS.some((kind) => text.includes(kind))
    return readNative(text, new Set(readsStates ? [...READ, 'data'] : READ))
  }
  try {
    const body = parseTfJson(text)
    const facts = factsOf(body, text)
    return mayRead(text) ? { ...facts, ...readsIn(expressionsIn(body).join('\n'), facts.modules) } : facts
  } catch (error) {
    if (!(error instanceof HclError)) throw error
    return { declares: true, errors: [faultOf(error)] }
  }
}

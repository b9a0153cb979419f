import { type Attribute, type Body, blocksOf } from '../../hcl/body.ts'
import { type Expression, type Names, readExpression } from '../../hcl/expression.ts'
import { positionOf } from '../../hcl/hcl-error.ts'
import { Absent } from '../../hcl/operators.ts'
import { bounded, type Partly } from '../../hcl/value.ts'
import type { ConfigFile, Files } from './files.ts'

/** From where a file is read: Terragrunt's functions answer by it. Paths are the repository's. */
export type Place = {
  /** The file itself: `file()` is relative to it. */
  file: string
  /** The configuration that is run or read: an included file answers for the one that includes it. */
  config: string
  /** The unit's own file, also while another configuration is read. */
  original: string
  /** The included file, while it is read for the one that includes it. */
  includedAs?: string
}

export type FilePlace = { file: string; line: number; column: number }

/** What cannot be known before a run. */
export type Unresolved = Partial<FilePlace> & { message: string }

/** What the reading of one unit has in common. */
export type Reader = {
  files: Files
  /** A file that the unit reads. */
  note: (path: string) => void
  /** Something that cannot be known before a run, and that matters; at a place of a file if there is one. */
  unresolved: (message: string, at?: FilePlace) => void
  /** What a stack file gives the unit; undefined if none does. */
  values: Partly
  /** Components of the stack file by name, for `unit.NAME.path`; undefined elsewhere. */
  components?: (kind: string, name: string) => Partly
  /** Whether the unit needs values that nobody gives it: then it is a template of a catalog. */
  lacksValues: boolean
  /** Configurations that are being read, to end a circle. */
  open: Set<string>
  read: Map<string, Partly>
}

export type Include = { label: string; path: string | undefined; isExposed: boolean; strategy: string }

/** A file, and the values of its expressions. */
export type Config = {
  place: Place
  file: ConfigFile
  includes: readonly Include[]
  /** The value, as far as it is known; what the tool would refuse is not known either. */
  value: (expression: string | undefined) => Partly
  locals: () => Partly
  at: (offset: number) => FilePlace
}

/** Thrown for `values.x` where no stack file gives any. */
class NoValues extends Absent {}

const expressions = new Map<string, Expression>()

/** Few texts are different in a thousand units. */
const MOST_KEPT = 20_000

const expressionOf = (text: string): Expression => {
  const known = expressions.get(text)
  if (known !== undefined) return known
  if (expressions.size >= MOST_KEPT) expressions.clear()
  const made = readExpression(text)
  expressions.set(text, made)
  return made
}

type Surroundings = {
  call: (config: Config) => Names['call']
  /** What a configuration shows to who reads it or exposes it. */
  shown: (config: Config, include: Include) => Partly
}

const localsOf = (body: Body): ReadonlyMap<string, Attribute> =>
  blocksOf(body, 'locals')[0]?.body.attributes ?? new Map<string, Attribute>()

/** Opens a file at a place. Its expressions are evaluated when they are asked for, each local once. */
export const openConfig = (
  reader: Reader,
  place: Place,
  { file, includes }: { file: ConfigFile; includes: readonly Include[] },
  { call, shown }: Surroundings,
): Config => {
  const attributes = localsOf(file.body)
  const locals = new Map<string, Partly>()

  const local = (name: string | undefined): Partly => {
    if (name === undefined) return bounded(Object.fromEntries([...attributes.keys()].map((one) => [one, local(one)])))
    const attribute = attributes.get(name)
    if (attribute === undefined) throw new Absent(`there is no local.${name}`)
    if (!locals.has(name)) {
      locals.set(name, undefined)
      locals.set(name, value(attribute.expression))
    }
    return locals.get(name)
  }

  const included = (name: string | undefined): Partly => {
    const [only] = includes
    const isBare = includes.length === 1 && only?.label === ''
    const found = isBare ? only : includes.find(({ label }) => label === name)
    if (found === undefined) throw new Absent(`there is no include '${name}'`)
    if (!found.isExposed) throw new Absent(`include '${found.label}' is not exposed`)
    const exposed = shown(config, found)
    if (!isBare || name === undefined) return exposed
    return typeof exposed === 'object' && exposed !== null && Object.hasOwn(exposed, name)
      ? (exposed as Record<string, Partly>)[name]
      : undefined
  }

  const given = (name: string | undefined): Partly => {
    if (reader.values === undefined) throw new NoValues('no stack file gives values')
    if (name === undefined) return reader.values
    const all = reader.values as Record<string, Partly>
    if (Object.hasOwn(all, name)) return all[name]
    if ('\0open' in all) return undefined
    throw new Absent(`there is no values.${name}`)
  }

  const name: Names['name'] = (root, member) => {
    if (root === 'local') return local(member)
    if (root === 'include') return included(member)
    if (root === 'values') return given(member)
    return member === undefined ? undefined : reader.components?.(root, member)
  }

  const value = (expression: string | undefined): Partly => {
    if (expression === undefined) return undefined
    try {
      return expressionOf(expression)(names)
    } catch (error) {
      if (!(error instanceof Absent)) throw error
      if (error instanceof NoValues) reader.lacksValues = true
      return undefined
    }
  }

  const config: Config = {
    place,
    file,
    includes,
    value,
    locals: () => local(undefined),
    at: (offset) => ({ file: place.file, ...positionOf(file.text, offset) }),
  }
  const names: Names = { name, call: call(config) }
  return config
}

/** Evaluates all that a body holds, for the files that it reads. */
export const readAll = (config: Config, body: Body = config.file.body): void => {
  for (const { expression } of body.attributes.values()) config.value(expression)
  for (const block of body.blocks) if (block.type !== 'locals') readAll(config, block.body)
}

/** Evaluates the locals that are used nowhere, too, for the files that they read. One that lacks a value of a stack file makes no template. */
export const readUnused = (config: Config, reader: Reader): void => {
  const { lacksValues } = reader
  config.locals()
  reader.lacksValues = lacksValues
}

import type { RepoConfig } from '#domain/config/config-file.ts'
import { isLiteral } from '#domain/config/glob.ts'
import { repositoryPath } from '#domain/keys.ts'
import { evaluate } from '../../hcl/evaluate.ts'
import { noNames } from '../../hcl/traverse.ts'
import type { Partly } from '../../hcl/value.ts'
import { withoutUser } from '../edges/module-source.ts'
import type { Tree } from '../tree/tree.ts'
import { isVisible } from '../tree/walk.ts'
import type { Warn } from '../warning.ts'
import type { Reader, Unresolved } from './config.ts'
import { type ConfigFile, type Files, filesOf, JSON_FILE, STACK_FILE, UNIT_FILE, VALUES_FILE } from './files.ts'
import { below, directoryOf } from './places.ts'
import { type Component, type ReaderFor, readStackFile } from './stack-file.ts'
import { type Reading, readUnit, type Unit } from './unit.ts'
import { sourceOfUnit } from './unit-source.ts'

export type Units = {
  /** By directory, also of those that a stack file generates. */
  all: ReadonlyMap<string, Unit>
  /** Directories whose code units run. They are modules, though many have a `backend` block. */
  sources: ReadonlySet<string>
  /** The units of a directory: itself, or those of the stack file in it. */
  at: (path: string) => readonly string[]
}

export type Found = {
  config: RepoConfig
  codehost: string
  tree: Tree
  paths: readonly string[]
  /** Whether a directory holds code of its own. */
  hasCode: (directory: string) => boolean
  warn: Warn
}

const literals = ({ body }: ConfigFile): Partly =>
  Object.fromEntries([...body.attributes.values()].map(({ name, expression }) => [name, evaluate(expression, noNames)]))

const named = (name: string) => (path: string) => path.slice(path.lastIndexOf('/') + 1) === name && isVisible(path)

/** A unit whose configuration is in another repository: that it is there is known, and nothing else. */
const remoteUnit = ({ path, at, reads }: Component, address: string): Unit => ({
  ...{ path, dependencies: [], inputs: undefined, state: 'unknown', varFiles: [], includes: [], reads },
  source: { text: address, at },
  unresolved: [
    {
      message: `${at.file}:${at.line}: what ${path} depends on is in ${withoutUser(address)}, so it is not known before a run`,
      ...at,
    },
  ],
  ...{ isGenerating: false, isTemplate: false, isExcluded: false, isBroken: false },
})

const createReaders =
  (files: Files): ReaderFor =>
  (values, components) => {
    const noted = new Set<string>()
    const unresolved: Unresolved[] = []
    const reader: Reader = {
      ...{ files, values, lacksValues: false, open: new Set<string>(), read: new Map<string, Partly>() },
      note: (path) => void noted.add(path),
      unresolved: (message, at) => void unresolved.push({ message, ...at }),
      ...(components === undefined ? {} : { components }),
    }
    return { reader, noted, unresolved }
  }

type StackFile = { directory: string; components: Component[]; readings: Reading[] }

const readStackFiles = (paths: readonly string[], files: Files, readerFor: ReaderFor): StackFile[] =>
  paths.map((path) => {
    const directory = directoryOf(path)
    const readings: Reading[] = []
    const components = readStackFile(directory, files, (...given) => {
      const reading = readerFor(...given)
      readings.push(reading)
      return reading
    })
    return { directory, components, readings }
  })

/** Reads a unit that a stack file generates from its source. */
const generatedUnit = ({ path, values, source, added, reads, ...rest }: Component, readerFor: ReaderFor): Unit => {
  if ('address' in source) return remoteUnit({ path, values, source, reads, ...rest }, source.address)
  const unit = readUnit(below(path, UNIT_FILE), readerFor(values), added === undefined ? [] : [added])
  return { ...unit, isTemplate: false, reads: [...unit.reads, ...reads, source.directory] }
}

/** Every unit there may be, by directory, and the generated ones of each stack. */
const readUnits = ({ tree, paths, warn }: Found, files: Files, isNamed: (directory: string) => boolean) => {
  const readerFor = createReaders(files)
  const stackFiles = readStackFiles(paths.filter(named(STACK_FILE)), files, readerFor)
  const copied = new Set<string>()
  for (const { components } of stackFiles)
    for (const { source } of components) if ('directory' in source) copied.add(tree.links.real(source.directory))
  const isCopied = (directory: string): boolean => copied.has(directory) && !isNamed(directory)

  const units = new Map<string, Unit>()
  const generated = new Map<string, string[]>()
  for (const { directory, components, readings } of stackFiles) {
    if (isCopied(directory)) continue
    for (const one of components) {
      if (one.kind === 'stack') continue
      units.set(one.path, generatedUnit(one, readerFor))
      for (const stack of one.above) {
        const made = generated.get(stack)
        if (made === undefined) generated.set(stack, [one.path])
        else made.push(one.path)
      }
    }
    for (const said of readings.flatMap(({ unresolved }) => unresolved))
      warn({ code: 'terragrunt_unresolved', ...said })
  }
  for (const path of paths.filter(named(UNIT_FILE))) {
    const directory = directoryOf(path)
    if (isCopied(directory) || units.has(directory)) continue
    const values = files.config(below(directory, VALUES_FILE))
    units.set(directory, readUnit(path, readerFor(values === undefined ? undefined : literals(values))))
  }
  return { units, generated }
}

/**
 * Finds the units of a tree, and reads them: directories with a terragrunt.hcl, and what stack files generate. A configuration that
 * others include, that a stack file copies, or that has nothing to run is none, unless `discover.include` names its directory.
 */
export const findUnits = (found: Found): Units => {
  const { config, codehost, tree, paths, hasCode, warn } = found
  for (const file of paths.filter(named(JSON_FILE))) {
    const message = `${file}: configuration of Terragrunt in JSON is not read, so its directory is no unit`
    warn({ code: 'terragrunt_unresolved', message, file })
  }
  if (!paths.some((path) => named(UNIT_FILE)(path) || named(STACK_FILE)(path)))
    return { all: new Map(), sources: new Set(), at: () => [] }
  const literal = new Set(config.discover.include.filter(isLiteral).map((path) => repositoryPath(path)))
  const { units, generated } = readUnits(found, filesOf(tree, paths, warn), (path) => literal.has(path))
  const { real } = tree.links
  const included = new Set([...units.values()].flatMap(({ includes }) => [...includes, ...includes.map(real)]))
  const all = new Map<string, Unit>()
  const sources = new Set<string>()
  for (const [path, unit] of [...units].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const runs = unit.source !== undefined || unit.isGenerating || unit.isBroken || hasCode(path)
    const isUnit = runs && !included.has(below(path, UNIT_FILE)) && !unit.isTemplate && !unit.isExcluded
    if (!isUnit && !literal.has(path)) continue
    all.set(path, unit)
    const code = sourceOfUnit(unit, codehost, real)
    if (code?.kind === 'directory' && code.path !== path) sources.add(code.path)
  }
  return { all, sources, at: (path) => (all.has(path) ? [path] : (generated.get(path) ?? [])) }
}

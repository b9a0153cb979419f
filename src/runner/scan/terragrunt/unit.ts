import { blocksOf } from '../../hcl/body.ts'
import { evaluate, literal } from '../../hcl/evaluate.ts'
import { noNames } from '../../hcl/traverse.ts'
import { asText, isObject, type Partly } from '../../hcl/value.ts'
import { readFacts } from '../facts/file-facts.ts'
import { type Config, type FilePlace, type Reader, readAll, readUnused, type Unresolved } from './config.ts'
import { createLayers, inputsOf, type Layer, lastOf, remoteStateIn, sourceIn, terraformBlock } from './layers.ts'
import { directoryOf, isOfMachine, placeFrom } from './places.ts'

/** Another unit, or a stack of units, that comes first; `isRead` if its outputs are read. */
export type Dependency = { name: string; path: string; isRead: boolean; at: FilePlace }

export type UnitState = { type: string; fields: Record<string, Partly> }

/** What a scan needs to know of a unit: a directory that Terragrunt runs in. */
export type Unit = {
  path: string
  /** Where its code comes from; undefined for its own directory. */
  source?: { text: string | undefined; version?: string; at: FilePlace }
  dependencies: Dependency[]
  /** Undefined if its code alone says where the state is kept; `unknown` if that is not known before a run. */
  state?: UnitState | 'unknown'
  /** Values of the code's variables; undefined if they are not known. */
  inputs: Partly
  varFiles: string[]
  /** Files of the repository that it reads, its own included. */
  reads: string[]
  unresolved: readonly Unresolved[]
  /** Files that it includes. */
  includes: string[]
  version?: string
  /** Whether it writes code itself. */
  isGenerating: boolean
  /** Whether it needs values that only a stack file gives: it is a template. */
  isTemplate: boolean
  isExcluded: boolean
  isBroken: boolean
}

const dependencyBlocks = (layers: readonly Layer[]) => {
  const all = new Map<
    string,
    { config: Config; attributes: Config['file']['body']['attributes']; at: number; isDeep: boolean }
  >()
  for (const { config, isMerged, isDeep } of layers) {
    if (!isMerged) continue
    for (const { labels, body, at } of blocksOf(config.file.body, 'dependency')) {
      const name = labels[0] ?? ''
      const below = all.get(name)
      const merged = below?.isDeep === true && !body.attributes.has('config_path')
      if (!merged) all.set(name, { config, attributes: body.attributes, at, isDeep })
    }
  }
  return all
}

/** Units named by `dependency` blocks and by the paths of `dependencies`. Paths are taken from the unit, wherever they are written. */
const dependenciesOf = (layers: readonly Layer[], path: string, reader: Reader): Dependency[] => {
  const found: Dependency[] = []
  const add = (written: Partly, what: string, name: string, isRead: boolean, at: FilePlace): void => {
    const where = `${at.file}:${at.line}: ${what}`
    const text = asText(written)
    const target = text === undefined ? undefined : placeFrom(path, text)
    if (text === undefined)
      reader.unresolved(`${where}: its path cannot be known before a run, so ${path} may depend on more`, at)
    else if (target === undefined)
      reader.unresolved(`${where}: ${JSON.stringify(text)} is outside of the repository`, at)
    else found.push({ name, path: target.replace(/(?:^|\/)terragrunt\.hcl$/, '') || '.', isRead, at })
  }
  for (const [name, { config, attributes, at }] of dependencyBlocks(layers)) {
    if (config.value(attributes.get('enabled')?.expression) === false) continue
    const isRead = config.value(attributes.get('skip_outputs')?.expression) !== true
    add(config.value(attributes.get('config_path')?.expression), `dependency '${name}'`, name, isRead, config.at(at))
  }
  for (const { config, isMerged } of layers) {
    if (!isMerged) continue
    for (const { body, at } of blocksOf(config.file.body, 'dependencies')) {
      const paths = config.value(body.attributes.get('paths')?.expression)
      for (const one of Array.isArray(paths) ? paths : [undefined]) add(one, 'dependencies', '', false, config.at(at))
    }
  }
  return found
}

const sourceOf = (layers: readonly Layer[], reader: Reader): Unit['source'] => {
  const found = lastOf(layers, (config) => {
    const source = sourceIn(config)
    return source && { config, source }
  })
  if (found === undefined) return undefined
  const { config, source } = found
  const at = config.at(source.at)
  const text = asText(config.value(source.expression))
  const version = lastOf(layers, (one) =>
    asText(one.value(terraformBlock(one)?.body.attributes.get('version')?.expression)),
  )
  if (text === undefined)
    reader.unresolved(
      `${at.file}:${at.line}: the source of its code cannot be known before a run, so changes of it are not seen`,
      at,
    )
  return { text, at, ...(version === undefined ? {} : { version }) }
}

type Generated = { path: Partly; contents: Partly }

const generatedFiles = (layers: readonly Layer[]): Generated[] => {
  const all = new Map<string, Generated>()
  for (const { config, isMerged } of layers) {
    if (!isMerged) continue
    for (const { labels, body } of blocksOf(config.file.body, 'generate'))
      all.set(labels[0] ?? '', {
        path: config.value(body.attributes.get('path')?.expression),
        contents: config.value(body.attributes.get('contents')?.expression),
      })
    const attribute = config.file.body.attributes.get('generate')
    const value = config.value(attribute?.expression)
    if (isObject(value))
      for (const [name, one] of Object.entries(value))
        if (isObject(one)) all.set(name, { path: one.path, contents: one.contents })
  }
  return [...all.values()]
}

/** A place outside of the repository, or one that differs from machine to machine, is not known. */
const known = (fields: { readonly [name: string]: Partly }, path: string, type: string): Record<string, Partly> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (typeof value !== 'string' || !isOfMachine(value)) return [name, value]
      const place = type === 'local' ? placeFrom(path, value) : undefined
      return [
        name,
        place === undefined
          ? undefined
          : `${path === '.' ? '' : path.replaceAll(/[^/]+/g, '..')}/${place}`.replace(/^\//, ''),
      ]
    }),
  )

/** The state of a unit: of its `remote_state`, or of a backend block that it generates. */
const stateOf = (layers: readonly Layer[], path: string, generated: readonly Generated[]): Unit['state'] => {
  const remote = lastOf(layers, (config) => {
    const found = remoteStateIn(config)
    return found === 'none' ? undefined : { found: found as Partly }
  })
  if (remote !== undefined) {
    const { found } = remote
    if (!isObject(found) || typeof found.backend !== 'string' || !isObject(found.config)) return 'unknown'
    return { type: found.backend, fields: known(found.config, path, found.backend) }
  }
  for (const { contents } of generated) {
    if (contents === undefined) continue
    const { backend } = typeof contents === 'string' ? readFacts(contents, 'hcl') : {}
    if (backend === undefined) continue
    const fields = Object.entries(backend.fields).map(([name, expression]) => [name, evaluate(expression, noNames)])
    return { type: backend.type, fields: known(Object.fromEntries(fields), path, backend.type) }
  }
  const mayBeGenerated = ({ path: file, contents }: Generated): boolean =>
    contents === undefined && !(typeof file === 'string' && /provider|version/.test(file))
  return generated.some(mayBeGenerated) ? 'unknown' : undefined
}

/** Files that `extra_arguments` give the tool: they are read, and set variables. */
const varFilesOf = (layers: readonly Layer[], path: string): string[] => {
  const files: Partly[] = []
  const list = (value: Partly): readonly Partly[] => (Array.isArray(value) ? value : [])
  for (const { config, isMerged } of layers) {
    const block = isMerged ? terraformBlock(config) : undefined
    for (const { body } of block === undefined ? [] : blocksOf(block.body, 'extra_arguments')) {
      const of = (name: string) => list(config.value(body.attributes.get(name)?.expression))
      const flags = of('arguments').flatMap((one) => /^-?-var-file=(.*)$/s.exec(asText(one) ?? '')?.[1] ?? [])
      files.push(...of('required_var_files'), ...of('optional_var_files'), ...flags)
    }
  }
  return files.flatMap((file) => (typeof file === 'string' ? (placeFrom(path, file) ?? []) : []))
}

/** `exclude` counts for whoever includes it; `skip`, which kept a parent from being run, for the file alone that it is written in. */
const isExcluded = (layers: readonly Layer[], own: Config | undefined): boolean => {
  const exclude = lastOf(layers, (config) => {
    const [block] = blocksOf(config.file.body, 'exclude')
    return block === undefined ? undefined : { block, config }
  })
  if (own?.value(own.file.body.attributes.get('skip')?.expression) === true) return true
  if (exclude === undefined) return false
  const { block, config } = exclude
  const actions = config.value(block.body.attributes.get('actions')?.expression)
  const isAll =
    Array.isArray(actions) && (actions.includes('all') || (actions.includes('plan') && actions.includes('apply')))
  return isAll && config.value(block.body.attributes.get('if')?.expression) === true
}

/** An exact version that a unit asks for. */
const versionOf = (layers: readonly Layer[]): string | undefined =>
  lastOf(layers, (config) => {
    const written = config.file.body.attributes.get('terragrunt_version_constraint')
    const value = written === undefined ? undefined : literal(written.expression)
    return typeof value === 'string' ? value : undefined
  })

/** A reader, and what it was told so far. */
export type Reading = { reader: Reader; noted: ReadonlySet<string>; unresolved: Unresolved[] }

/** Reads the unit whose configuration is at a path, with everything that it includes and reads. */
export const readUnit = (file: string, { reader, noted, unresolved }: Reading, added: readonly Layer[] = []): Unit => {
  const path = directoryOf(file)
  const own = createLayers(reader).read(file, file)
  const layers = [...own, ...added]
  for (const { config } of layers) readAll(config)
  const generated = generatedFiles(layers)
  const source = sourceOf(layers, reader)
  const state = stateOf(layers, path, generated)
  const version = versionOf(layers)
  const varFiles = varFilesOf(layers, path)
  for (const one of varFiles) reader.note(reader.files.real(one) ?? one)
  const inputs = inputsOf(layers)
  for (const { config } of layers) readUnused(config, reader)
  return {
    path,
    ...(source === undefined ? {} : { source }),
    dependencies: dependenciesOf(layers, path, reader),
    ...(state === undefined ? {} : { state }),
    inputs,
    varFiles,
    includes: (own.at(-1)?.config.includes ?? []).flatMap((include) => include.path ?? []),
    ...(version === undefined ? {} : { version }),
    isGenerating: generated.length > 0,
    isTemplate: reader.lacksValues,
    isExcluded: isExcluded(layers, own.at(-1)?.config),
    isBroken: own.some(({ config }) => config.file.isBroken),
    reads: [...noted],
    unresolved,
  }
}

import { type Block, blocksOf } from '../../hcl/body.ts'
import { openObject } from '../../hcl/operators.ts'
import { isObject, type Partly } from '../../hcl/value.ts'
import { type Config, type Include, openConfig, type Place, type Reader, readAll } from './config.ts'
import { type ConfigFile, UNIT_FILE } from './files.ts'
import { includeOf } from './include.ts'
import { callFrom } from './path-functions.ts'

/** A configuration that is laid over those before it. Of one with `no_merge` nothing but its files counts. */
export type Layer = { config: Config; isMerged: boolean; isDeep: boolean }

/** How deep configurations may read each other; no repository gets there. */
const MOST_OPEN = 30

const emptyFile: ConfigFile = { text: '', body: { attributes: new Map(), blocks: [] }, isBroken: true }

/** The last of the layers that says something. */
export const lastOf = <T>(layers: readonly Layer[], say: (config: Config) => T | undefined): T | undefined =>
  layers.reduce<T | undefined>((found, { config, isMerged }) => (isMerged ? (say(config) ?? found) : found), undefined)

const mergedMaps = (below: Partly, above: Partly, isDeep: boolean): Partly => {
  if (!isObject(below) || !isObject(above)) return undefined
  const all: Record<string, Partly> = { ...below }
  for (const [name, value] of Object.entries(above)) {
    const before = all[name]
    const both = isDeep && Object.hasOwn(all, name)
    if (both && isObject(before) && isObject(value)) all[name] = mergedMaps(before, value, true)
    else if (both && Array.isArray(before) && Array.isArray(value)) all[name] = [...before, ...value]
    else all[name] = value
  }
  return all
}

/** The inputs of a unit, those of later layers over those of earlier ones; undefined if a layer's are not known. */
export const inputsOf = (layers: readonly Layer[]): Partly => {
  let all: Partly = {}
  let isDeep = false
  for (const { config, isMerged, isDeep: deep } of layers) {
    const written = config.file.body.attributes.get('inputs')
    if (isMerged && written !== undefined) all = mergedMaps(all, config.value(written.expression), isDeep)
    isDeep ||= deep
  }
  return all
}

export const terraformBlock = (config: Config): Block | undefined => blocksOf(config.file.body, 'terraform')[0]

export const sourceIn = (config: Config) => terraformBlock(config)?.body.attributes.get('source')

/** `remote_state` as a block or, where it is made from others, as an attribute. */
export const remoteStateIn = (config: Config): Partly | 'none' => {
  const [block] = blocksOf(config.file.body, 'remote_state')
  const attribute = config.file.body.attributes.get('remote_state')
  if (block === undefined) return attribute === undefined ? 'none' : config.value(attribute.expression)
  return Object.fromEntries(
    [...block.body.attributes.values()].map(({ name, expression }) => [name, config.value(expression)]),
  )
}

/** What is shown of a configuration to one that exposes or reads it. More may be in it than is read here. */
const shownOf = (layers: readonly Layer[]): Partly => {
  const own = layers.at(-1)?.config
  const state = lastOf(layers, (config) => {
    const found = remoteStateIn(config)
    return found === 'none' ? undefined : { found }
  })
  const source = lastOf(layers, (config) => {
    const written = sourceIn(config)
    return written === undefined ? undefined : { value: config.value(written.expression) }
  })
  return openObject({
    locals: own?.locals(),
    inputs: inputsOf(layers),
    ...(source === undefined ? {} : { terraform: openObject({ source: source.value }) }),
    ...(state === undefined ? {} : { remote_state: state.found as Partly }),
  })
}

/** Reads the configuration at a path with what it includes: the included files first, in order, then its own. */
export const createLayers = (reader: Reader) => {
  const exposed = new Map<Layer, Partly>()
  const surroundings = {
    call: (config: Config) => callFrom(reader, readConfig)(config),
    shown: (config: Config, include: Include): Partly => {
      const layer = include.path === undefined ? undefined : layerOf(config.place, include)
      if (layer === undefined) return openObject({})
      if (!exposed.has(layer)) exposed.set(layer, shownOf([layer]))
      return exposed.get(layer)
    },
  }
  const known = new Map<string, Layer | undefined>()

  const layerOf = (place: Place, include: Include): Layer | undefined => {
    const { path = '' } = include
    const key = `${place.config}\0${path}`
    if (known.has(key)) return known.get(key)
    known.set(key, undefined)
    const file = reader.files.config(path)
    const layer = file && {
      config: openConfig(reader, { ...place, file: path, includedAs: path }, { file, includes: [] }, surroundings),
      isMerged: include.strategy !== 'no_merge',
      isDeep: include.strategy === 'deep',
    }
    known.set(key, layer)
    return layer
  }

  const read = (path: string, original: string): Layer[] => {
    const file = reader.files.config(path) ?? emptyFile
    const place: Place = { file: path, config: path, original }
    // an include's path is evaluated with the functions alone
    const bare = openConfig(reader, place, { file, includes: [] }, surroundings)
    const includes = blocksOf(file.body, 'include').map((block) => includeOf(bare, block, reader))
    const config = openConfig(reader, place, { file, includes }, surroundings)
    const included = includes.flatMap((include) => layerOf(place, include) ?? [])
    return [...included, { config, isMerged: true, isDeep: false }]
  }

  const readConfig = (written: string, { place }: Config): { value: Partly } | undefined => {
    const path = reader.files.isDirectory(written) ? `${written === '.' ? '' : `${written}/`}${UNIT_FILE}` : written
    const real = reader.files.real(path)
    reader.note(real ?? path)
    if (real === undefined) return undefined
    const before = reader.read.get(path)
    if (before !== undefined) return { value: before }
    if (reader.open.has(path) || reader.open.size >= MOST_OPEN) return { value: openObject({}) }
    reader.open.add(path)
    const layers = read(path, place.original)
    for (const { config } of layers) readAll(config)
    const value = shownOf(layers)
    reader.open.delete(path)
    reader.read.set(path, value)
    return { value }
  }

  return { read, surroundings }
}

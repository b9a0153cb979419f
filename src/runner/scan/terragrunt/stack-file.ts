import { pathFrom } from '#domain/keys.ts'
import { Problem } from '#errors.ts'
import { type Block, blocksOf } from '../../hcl/body.ts'
import { openObject } from '../../hcl/operators.ts'
import { asText, type Partly } from '../../hcl/value.ts'
import { withoutUser } from '../edges/module-source.ts'
import type { Config, FilePlace, Reader } from './config.ts'
import { type Files, STACK_FILE, UNIT_FILE, VALUES_FILE } from './files.ts'
import { createLayers, type Layer } from './layers.ts'
import { absolute, below, directoryOf, placeFrom } from './places.ts'
import type { Reading } from './unit.ts'
import { isRemote } from './unit-source.ts'

/** A unit or a stack of units that a stack file makes. */
export type Component = {
  kind: 'unit' | 'stack'
  /** The directory that Terragrunt generates, whether or not it is there. */
  path: string
  /** Its source: a directory of the repository, or an address. */
  source: { directory: string } | { address: string }
  values: Partly
  /** Files that decide what it is. */
  reads: string[]
  /** The stacks that it is in, from the outermost. */
  above: readonly string[]
  /** What the stack file adds to the unit's configuration. */
  added?: Layer
  at: FilePlace
}

/** Where Terragrunt puts what a stack file makes (Terragrunt, 'Explicit stacks'). */
const GENERATED = '.terragrunt-stack'

const MOST_NESTED = 20

/** As many as a repository may have instances. Two stacks that make two stacks each are soon a million. */
const MOST_MADE = 20_000

export type ReaderFor = (values: Partly, components?: Reader['components']) => Reading

const destinationOf = (config: Config, { body }: Block): string | undefined => {
  const written = asText(config.value(body.attributes.get('path')?.expression))
  const isBeside = config.value(body.attributes.get('no_dot_terragrunt_stack')?.expression)
  const directory = directoryOf(config.place.config)
  if (
    written === undefined ||
    written.startsWith('/') ||
    (isBeside !== true && isBeside !== false && isBeside !== undefined)
  )
    return undefined
  if (isBeside === undefined && body.attributes.has('no_dot_terragrunt_stack')) return undefined
  const base = isBeside === true ? directory : below(directory, GENERATED)
  const path = pathFrom(base, written)
  return path !== undefined && (base === '.' || path === base || path.startsWith(`${base}/`)) ? path : undefined
}

/** A values file that lies beside a source counts unless the stack file gives values itself. */
const valuesBeside = (files: Files, directory: string, config: Config): Partly => {
  const file = files.config(below(directory, VALUES_FILE))
  if (file === undefined) return undefined
  return Object.fromEntries(
    [...file.body.attributes.values()].map(({ name, expression }) => [name, config.value(expression)]),
  )
}

/** Values that a component is given. What a stack file gives replaces what lies beside the source. */
const valuesOf = (config: Config, { body }: Block, files: Files, source: string | undefined): Partly => {
  const written = body.attributes.get('values')
  if (written !== undefined) return config.value(written.expression) ?? openObject({})
  return source === undefined ? undefined : valuesBeside(files, source, config)
}

type Named = { kind: Component['kind']; block: Block; config: Config }

/** Why a component is not known before a run; its directory and its source if it is. */
const located = ({ kind, block, config }: Named, files: Files): string | Pick<Component, 'path' | 'source'> => {
  const { attributes, blocks } = block.body
  const path = destinationOf(config, block)
  const source = asText(config.value(attributes.get('source')?.expression))
  const isRepeated =
    attributes.has('for_each') || attributes.has('count') || blocks.some(({ type }) => type === 'expansion')
  const unknown = (what: string) => `${what} cannot be known before a run, so it is left out`
  if (isRepeated) return unknown('how often it is made')
  if (path === undefined) return unknown('its path')
  if (source === undefined) return unknown('its source')
  if (isRemote(source)) {
    if (kind === 'unit') return { path, source: { address: source } }
    return `its units are in ${withoutUser(source)}, so they are not known before a run`
  }
  const directory = placeFrom(directoryOf(config.place.config), source)
  if (directory === undefined) return `its source ${JSON.stringify(source)} is outside of the repository`
  const wanted = kind === 'unit' ? UNIT_FILE : STACK_FILE
  return files.real(below(directory, wanted)) === undefined
    ? `there is no ${wanted} in ${directory}`
    : { path, source: { directory } }
}

const componentBlocks = (layers: readonly Layer[]): Named[] =>
  layers.flatMap(({ config }) =>
    (['unit', 'stack'] as const).flatMap((kind) =>
      blocksOf(config.file.body, kind).map((block) => ({ kind, block, config })),
    ),
  )

/** What `autoinclude` adds to a unit. It is evaluated as a part of the stack file. */
const addedBy = ({ block, config }: Named): Pick<Component, 'added'> => {
  const [auto] = blocksOf(block.body, 'autoinclude')
  if (auto === undefined) return {}
  return { added: { config: { ...config, file: { ...config.file, body: auto.body } }, isMerged: true, isDeep: false } }
}

/** Reads a stack file into the units that it makes, through all stacks in it. What cannot be known is warned of. */
export const readStackFile = (directory: string, files: Files, readerFor: ReaderFor): Component[] => {
  const found: Component[] = []

  const visit = (at: string, values: Partly, above: readonly string[], readAbove: readonly string[]): void => {
    const path = below(at, STACK_FILE)
    if (files.config(path) === undefined || above.length > MOST_NESTED) return
    const names = new Map<string, string>()
    const components = (kind: string, name: string): Partly => {
      const place = names.get(`${kind} ${name}`)
      return place === undefined ? undefined : { path: absolute(place) }
    }
    const { reader, noted } = readerFor(values, components)
    reader.note(files.real(path) ?? path)
    const blocks = componentBlocks(createLayers(reader).read(path, path))
    for (const { kind, block, config } of blocks) {
      const place = destinationOf(config, block)
      if (place !== undefined) names.set(`${kind} ${block.labels[0] ?? ''}`, place)
    }
    for (const one of blocks) {
      const { kind, block, config } = one
      if (config.value(block.body.attributes.get('enabled')?.expression) === false) continue
      const place = config.at(block.at)
      const where = located(one, files)
      if (typeof where === 'string') {
        reader.unresolved(`${place.file}:${place.line}: ${kind} '${block.labels[0] ?? ''}': ${where}`, place)
        continue
      }
      const source = 'directory' in where.source ? where.source.directory : undefined
      const given = valuesOf(config, block, files, source)
      if (source !== undefined) files.generate(where.path, source)
      const reads = [...readAbove, ...noted]
      if (found.length === MOST_MADE)
        throw new Problem(
          'invalid',
          `${below(directory, STACK_FILE)}: it makes more than ${MOST_MADE} units and stacks`,
        )
      found.push({ ...where, kind, values: given, at: place, reads, above, ...addedBy(one) })
      if (kind === 'stack') visit(where.path, given, [...above, where.path], reads)
    }
  }

  visit(directory, undefined, [directory], [])
  return found
}

import { escapedForGlob } from '#domain/config/glob.ts'
import type { StackVariant } from '#domain/config/stack-variants.ts'
import type { Edge, ModuleNode } from '#domain/graph/graph.ts'
import { formatQualifiedKey, isInside } from '#domain/keys.ts'
import { watchesOf } from '../edges/linked-files.ts'
import type { ModuleUses, Use } from '../edges/module-edges.ts'
import { withoutUser } from '../edges/module-source.ts'
import type { Directories } from '../facts/directories.ts'
import type { KeptState } from '../state/effective-backend.ts'
import type { Tree } from '../tree/tree.ts'
import type { Warn } from '../warning.ts'
import type { Units } from './find-units.ts'
import { placeFrom } from './places.ts'
import type { Unit } from './unit.ts'
import { isRemote, sourceOfUnit } from './unit-source.ts'

type Context = { repo: string; codehost: string; units: Units; directories: Directories; warn: Warn }

/** Strings of the language hold templates. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll(/[$%]\{/g, (mark) => `${mark[0]}${mark}`)

const codeModule = (unit: Unit, { repo, codehost, directories, warn }: Context): Use | undefined => {
  const { path, source } = unit
  const code = sourceOfUnit(unit, codehost, directories.real)
  if (source?.text === undefined || code === undefined) return undefined
  const { text, at } = source
  const call = (shown: string): Use['call'] => ({ name: '', ...at, arguments: { source: quoted(shown) } })
  const where = `${at.file}:${at.line}: the source of ${path}`
  if (code.kind === 'directory' && code.path === path) return undefined
  if (code.kind === 'outside') {
    warn({
      code: 'terragrunt_unresolved',
      message: `${where} is outside of the repository: changes of it are not seen`,
      ...at,
    })
    return undefined
  }
  if (code.kind === 'unsupported') {
    const message = `${where}: releases of ${withoutUser(text)} are not followed, as it is neither a path, git nor a registry`
    warn({ code: 'module_unsupported', message, ...at })
    return undefined
  }
  if (code.kind !== 'directory') {
    const { kind, family, source: from } = code
    const ref = 'ref' in code ? code.ref : undefined
    const module: ModuleNode = { key: family, kind, source: from }
    return { module, call: call(text), ...(ref === undefined ? {} : { ref }) }
  }
  if (!directories.has(code.path)) {
    const message = `${where}: there is no configuration in ${code.path}`
    warn({ code: 'module_missing', message, ...at })
  }
  const module: ModuleNode = { key: formatQualifiedKey(repo, code.path), kind: 'local', path: code.path }
  return { module, directory: code.path, isOfUnit: true, call: call(code.path) }
}

/** The modules of directories, those of units with the code that they run. */
export const modulesWithUnits = (context: Context, uses: ModuleUses): ModuleUses => {
  const known = new Map<string, readonly Use[]>()
  return (directory, tool) => {
    const unit = tool === 'terragrunt' ? context.units.all.get(directory) : undefined
    if (unit === undefined) return uses(directory, tool)
    const before = known.get(directory)
    if (before !== undefined) return before
    const use = codeModule(unit, context)
    const made = [...(use === undefined ? [] : [use]), ...uses(directory, tool)]
    known.set(directory, made)
    return made
  }
}

/** What a unit reads outside of its directory, and the links by which it names its code and other units. */
export const unitWatches = ({ path, reads, source, dependencies }: Unit, tree: Tree): string[] => {
  const code = source?.text === undefined || isRemote(source.text) ? undefined : placeFrom(path, source.text)
  const named = [...(code === undefined ? [] : [code]), ...dependencies.map((one) => one.path)]
  const links = named.flatMap((one) => {
    const found = tree.links.follow(one)
    return typeof found === 'string' ? [] : found.past.map(escapedForGlob)
  })
  const read = reads.flatMap((file) => watchesOf(tree, file))
  return [...read, ...links].filter((watched) => !isInside(watched, escapedForGlob(path)))
}

type Placed = { variant: StackVariant; kept: KeptState }

const edgeTo = (from: string, { variant, kept }: Placed, isRead: boolean): Edge => {
  const { bucket, key } = kept.backend ?? {}
  const meta = { ...(bucket === undefined ? {} : { bucket }), ...(key === undefined ? {} : { key }) }
  const ends = { from: { kind: 'stack' as const, key: from }, to: { kind: 'stack' as const, key: variant.key } }
  return isRead
    ? { ...ends, type: 'reads_state', inferred: true, meta }
    : { ...ends, type: 'depends_on', inferred: true }
}

/**
 * Edges of `dependency`, whose outputs are read from the other's state, and of `dependencies`, which only order. An instance
 * depends on the instance with its name, or on all if there is none.
 */
export const dependencyEdges = (
  placed: readonly Placed[],
  { units, directories, warn }: Pick<Context, 'units' | 'directories' | 'warn'>,
): Edge[] => {
  const byPath = new Map<string, Placed[]>()
  for (const one of placed) {
    const same = byPath.get(one.variant.path)
    if (same === undefined) byPath.set(one.variant.path, [one])
    else same.push(one)
  }
  const targets = ({ variant }: Placed, written: string): Placed[] => {
    const path = directories.real(written)
    return units
      .at(path)
      .concat(byPath.has(path) ? [path] : [])
      .flatMap((unit) => {
        const all = byPath.get(unit) ?? []
        const same = all.filter((one) => variant.instance !== undefined && one.variant.instance === variant.instance)
        return same.length > 0 ? same : all
      })
  }
  return placed.flatMap((from) => {
    const { variant } = from
    const unit = variant.tool === 'terragrunt' ? units.all.get(variant.path) : undefined
    const edges = new Map<string, Edge>()
    for (const { name, path, isRead, at } of unit?.dependencies ?? []) {
      const found = targets(from, path)
      if (found.length === 0) {
        const where = `${at.file}:${at.line}: ${variant.path} depends on ${path}`
        const message = `${where}${name === '' ? '' : ` (dependency '${name}')`}, which is not a stack`
        warn({ code: 'dependency_unknown', message, ...at, stacks: [variant.key] })
      }
      for (const to of found) {
        const { key } = to.variant
        if (key !== variant.key && (isRead || !edges.has(key))) edges.set(key, edgeTo(variant.key, to, isRead))
      }
    }
    return [...edges.values()]
  })
}

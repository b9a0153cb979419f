import type { StackVariant } from '#domain/config/stack-variants.ts'
import { evaluate } from '../../hcl/evaluate.ts'
import { noNames, type Scope } from '../../hcl/traverse.ts'
import type { Partly } from '../../hcl/value.ts'
import type { Directories } from '../facts/directories.ts'
import type { DirectoryFacts } from '../facts/directory-facts.ts'
import { effectiveBackend, evaluateFields, type KeptState, keptAt } from '../state/effective-backend.ts'
import { type Setting, scopeOf } from '../state/scope.ts'
import type { ValuesFiles } from '../state/values-file.ts'
import type { Warn } from '../warning.ts'
import type { Unit } from './unit.ts'
import { sourceOfUnit } from './unit-source.ts'

type Context = { directories: Directories; codehost: string; values: ValuesFiles; warn: Warn }

/** The directories whose code a unit runs, and whether that is all of its code. */
export const codeOf = (
  unit: Unit,
  { codehost, directories }: Pick<Context, 'codehost' | 'directories'>,
): { directories: string[]; isAll: boolean } => {
  const { path, source } = unit
  if (source === undefined) return { directories: [path], isAll: true }
  const code = sourceOfUnit(unit, codehost, directories.real)
  if (code?.kind !== 'directory') return { directories: [path], isAll: false }
  return { directories: [...new Set([code.path, path])], isAll: true }
}

/** Values of the code's variables: those of the unit's inputs and, over them, of files that name them. */
const inputWith = (unit: Unit, files: Setting['input'], values: ValuesFiles): Setting['input'] => {
  const named = new Map<string, Partly>()
  let isKnown = true
  for (const file of unit.varFiles) {
    const found = values(file)
    if (typeof found === 'string') isKnown &&= found === 'missing'
    else for (const [name, expression] of Object.entries(found)) named.set(name, evaluate(expression, noNames))
  }
  const { inputs } = unit
  return (name) => {
    if (!isKnown || inputs === undefined) return { value: undefined }
    if (named.has(name)) return { value: named.get(name) }
    const given = files?.(name)
    if (given !== undefined) return given
    const all = inputs as Record<string, Partly>
    return Object.hasOwn(all, name) ? { value: all[name] } : undefined
  }
}

/** The names that a unit's code is evaluated with. */
export const unitScope = (
  unit: Unit,
  { facts, files, workspace }: { facts: DirectoryFacts; files: Setting['input']; workspace: string },
  { values }: Context,
): Scope => scopeOf(facts, { input: inputWith(unit, files, values), workspace, modulePath: '.' })

/** Where a unit keeps its state: as its `remote_state` or a backend that it generates says, laid over the one of its code. */
export const unitState = (unit: Unit, variant: StackVariant, scope: Scope, context: Context): KeptState => {
  const { directories, values, warn } = context
  const code = codeOf(unit, context)
  const all = code.directories.map((directory) => directories.facts(directory, 'terragrunt'))
  const facts = all.findLast(({ backend }) => backend !== undefined)
  const { state } = unit
  if (state === 'unknown') {
    const message = `${variant.key}: where Terragrunt keeps its state cannot be known before a run, so no stack that reads its state is found`
    if (code.isAll) warn({ code: 'backend_unresolved', message, stacks: [variant.key] })
    return {}
  }
  const at = { scope, values, warn }
  if (state !== undefined) {
    const below = facts?.backend?.type === state.type ? evaluateFields(facts.backend.fields, scope) : {}
    return keptAt(variant, { type: state.type, fields: { ...below, ...state.fields } }, at)
  }
  if (facts !== undefined) return effectiveBackend(variant, facts, at)
  const isKnown = code.isAll && !unit.isBroken && all.every(({ broken }) => !broken)
  const [first] = all
  return isKnown && first !== undefined ? effectiveBackend(variant, first, at) : {}
}

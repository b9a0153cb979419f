import type { StackVariant } from '#domain/config/stack-variants.ts'
import type { Backend } from '#domain/graph/graph.ts'
import { pathFrom } from '#domain/keys.ts'
import { evaluate } from '../../hcl/evaluate.ts'
import { noNames, type Scope } from '../../hcl/traverse.ts'
import type { Partly } from '../../hcl/value.ts'
import type { DirectoryFacts } from '../facts/directory-facts.ts'
import type { Expressions } from '../facts/file-facts.ts'
import type { Warn } from '../warning.ts'
import { stateLocation } from './state-location.ts'
import type { ValuesFiles } from './values-file.ts'

const PAIR = /^([A-Za-z_][\w-]*)=(.*)$/s

export const evaluateFields = (fields: Expressions, scope: Scope): Record<string, Partly> =>
  Object.fromEntries(Object.entries(fields).map(([name, expression]) => [name, evaluate(expression, scope)]))

/** The state that a stack keeps. Without `identity` it is not known well enough to be matched with what others read. */
export type KeptState = { backend?: Backend; identity?: string }

type Context = { scope: Scope; values: ValuesFiles; warn: Warn }

/**
 * The fields that -backend-config arguments set, later ones over earlier: `key=value`, or a file of values. `complete` is false
 * if a file is missing or cannot be read: it might say anything.
 */
const configured = ({ path, backend_config, key }: StackVariant, { values, warn }: Context) => {
  const fields: Record<string, Partly> = {}
  let complete = true
  for (const argument of backend_config) {
    const pair = PAIR.exec(argument)
    if (pair !== null) {
      fields[pair[1] ?? ''] = pair[2] ?? ''
      continue
    }
    const file = pathFrom(path, argument)
    const found = file === undefined ? 'missing' : values(file)
    if (typeof found !== 'string') Object.assign(fields, evaluateFields(found, noNames))
    else complete = false
    if (found === 'missing') {
      const message = `${key}: the backend configuration file ${argument} is not in the repository`
      warn({ code: 'file_missing', message, stacks: [key] })
    }
  }
  return { fields, complete }
}

/**
 * Where a stack keeps its state: its backend block with the stack's backend configuration laid over it, in the stack's workspace.
 * A directory without a backend block has the local backend, as in the tool; if one of its files cannot be read, the backend is
 * unknown.
 */
export const effectiveBackend = (variant: StackVariant, facts: DirectoryFacts, context: Context): KeptState => {
  const { path: directory, workspace = 'default' } = variant
  if (facts.backend === undefined) return facts.broken ? {} : stateLocation('local', {}, { workspace, directory })
  const { type, fields } = facts.backend
  return keptAt(variant, { type, fields: evaluateFields(fields, context.scope) }, context)
}

/** Where a stack keeps its state, of a backend whose fields are evaluated. */
export const keptAt = (
  variant: StackVariant,
  { type, fields }: { type: string; fields: Record<string, Partly> },
  context: Context,
): KeptState => {
  const { key, path: directory, workspace = 'default' } = variant
  const laidOver = configured(variant, context)
  const effective = { ...fields, ...laidOver.fields }
  const { backend, identity, unresolved } = stateLocation(type, effective, { workspace, directory })
  if (unresolved.length > 0)
    context.warn({
      code: 'backend_unresolved',
      message: `${key}: ${unresolved.join(', ')} of its ${type} backend cannot be known before a run, so no stack that reads its state is found`,
      stacks: [key],
    })
  return { backend, ...(identity === undefined || !laidOver.complete ? {} : { identity }) }
}

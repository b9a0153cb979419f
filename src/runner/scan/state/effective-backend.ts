import { pathFrom } from '#domain/keys.ts'
import type { StackVariant } from '#domain/stack-config.ts'
import { evaluate, noNames, type Partly, type Scope } from '../../hcl/evaluate.ts'
import type { DirectoryFacts } from '../facts/directory-facts.ts'
import type { Expressions } from '../facts/file-facts.ts'
import type { Warn } from '../warning.ts'
import { type StateLocation, stateLocation } from './state-location.ts'
import type { ValuesFiles } from './values-file.ts'

const PAIR = /^([A-Za-z_][\w-]*)=(.*)$/s

const evaluateFields = (fields: Expressions, scope: Scope): Record<string, Partly> =>
  Object.fromEntries(Object.entries(fields).map(([name, expression]) => [name, evaluate(expression, scope)]))

/** What -backend-config arguments say, later ones over earlier: `key=value`, or a file of values. */
const configured = (
  { path, backend_config, key }: StackVariant,
  values: ValuesFiles,
  warn: Warn,
): Record<string, Partly> => {
  const fields: Record<string, Partly> = {}
  for (const argument of backend_config) {
    const pair = PAIR.exec(argument)
    if (pair !== null) {
      fields[pair[1] ?? ''] = pair[2] ?? ''
      continue
    }
    const file = pathFrom(path, argument)
    const found = file === undefined ? undefined : values(file)
    if (found !== undefined) Object.assign(fields, evaluateFields(found, noNames))
    else
      warn({
        code: 'file_missing',
        message: `${key}: the backend configuration file ${argument} is not in the repository`,
        stacks: [key],
      })
  }
  return fields
}

/**
 * Where a stack keeps its state: its backend block with the stack's backend configuration laid over it, in the stack's
 * workspace. A directory without a backend block has the local one, as the tool has it.
 */
export const effectiveBackend = (
  variant: StackVariant,
  facts: DirectoryFacts,
  { scope, values, warn }: { scope: Scope; values: ValuesFiles; warn: Warn },
): StateLocation => {
  const { type, fields } = facts.backend ?? { type: 'local', fields: {} }
  const effective = { ...evaluateFields(fields, scope), ...configured(variant, values, warn) }
  const where = { workspace: variant.workspace ?? 'default', directory: variant.path }
  const location = stateLocation(type, effective, where)
  if (location.unresolved.length > 0)
    warn({
      code: 'backend_unresolved',
      message: `${variant.key}: ${location.unresolved.join(', ')} of its ${type} backend cannot be known before a run, so that no other stack's reading of its state is seen`,
      stacks: [variant.key],
    })
  return location
}

import { evaluate } from '../../hcl/evaluate.ts'
import { noNames, type Scope } from '../../hcl/traverse.ts'
import type { Partly } from '../../hcl/value.ts'
import type { DirectoryFacts } from '../facts/directory-facts.ts'

/** What a module is read with. `input` returns undefined for a variable that is left to its default. */
export type Setting = {
  input: (name: string) => { value: Partly } | undefined
  workspace: string
  /** `path.module`: the module's directory as seen from the stack's, `.` for the stack itself. */
  modulePath: string
}

/** Only what the module's own text says: for questions about all stacks that use it at once. */
export const anySetting: Partial<Setting> = { input: () => ({ value: undefined }) }

/** The names that can be known before a run: variables as set or with their defaults, locals, the workspace, and paths. */
export const scopeOf = (facts: DirectoryFacts, { input, workspace, modulePath }: Partial<Setting>): Scope => {
  const locals = new Map<string, Partly>()
  const variables = new Map<string, Partly>()

  const look = (name: string): Partly => {
    if (!Object.hasOwn(facts.variables, name)) return undefined
    const given = input?.(name)
    if (given !== undefined) return given.value
    const fallback = facts.variables[name]
    return fallback === null || fallback === undefined ? undefined : evaluate(fallback, noNames)
  }

  // once: what calls a module may take the same variable twice, and is called in the same way itself
  const variable = (name: string): Partly => {
    if (!variables.has(name)) variables.set(name, look(name))
    return variables.get(name)
  }

  const local = (name: string): Partly => {
    if (locals.has(name)) return locals.get(name)
    locals.set(name, undefined)
    const expression = Object.hasOwn(facts.locals, name) ? facts.locals[name] : undefined
    const value = expression === undefined ? undefined : evaluate(expression, scope)
    locals.set(name, value)
    return value
  }

  const scope: Scope = (root, name) => {
    if (root === 'var') return variable(name)
    if (root === 'local') return local(name)
    if (root === 'terraform' && name === 'workspace') return workspace
    if (root !== 'path') return undefined
    // the tool runs in the stack's directory
    return name === 'module' ? modulePath : name === 'root' || name === 'cwd' ? '.' : undefined
  }
  return scope
}

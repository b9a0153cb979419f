import { relative } from 'node:path/posix'
import { evaluate } from '../../hcl/evaluate.ts'
import type { Scope } from '../../hcl/traverse.ts'
import type { Directories, ToolName } from '../facts/directories.ts'
import type { DirectoryFacts } from '../facts/directory-facts.ts'
import { anySetting, scopeOf } from '../state/scope.ts'
import type { ModuleUses, Use } from './module-edges.ts'

/*
 * The code of a stack as it is called: a module once for each call, with the values that its callers give it.
 */

type Context = { directories: Directories; uses: ModuleUses }

type Root = { path: string; tool: ToolName; workspace?: string | undefined }

type Visit = (directory: string, scope: Scope) => void

/** Calls of modules that are followed for one stack. Each may give a module other names, and two in each other are four. */
export const MOST_CALLS = 2000
/** Modules in each other. */
export const MOST_NESTED = 50

/**
 * A module's settings as its caller gives them. A given argument hides the variable's default, even with an unknown value. Of the
 * code of a Terragrunt unit nothing is known: its inputs are no arguments.
 */
const moduleScope = (
  use: Use,
  caller: Scope,
  { path, tool, workspace = 'default' }: Root,
  directories: Directories,
) => {
  const directory = use.directory ?? ''
  const given = (name: string) => {
    const expression = Object.hasOwn(use.call.arguments, name) ? use.call.arguments[name] : undefined
    return expression === undefined ? undefined : { value: evaluate(expression, caller) }
  }
  const setting = use.isOfUnit ? anySetting : { input: given, workspace }
  return scopeOf(directories.facts(directory, tool), { ...setting, modulePath: relative(`/${path}`, `/${directory}`) })
}

/** How much a visit of a directory takes, of the calls that are followed; 0 of one that is not concerned. */
type Weight = (facts: DirectoryFacts) => number

/** Directories that a question concerns, themselves or through a module. Only these few are searched, stack by stack. */
const leading = ({ directories, uses }: Context, weight: Weight) => {
  const known = new Map<string, boolean>()
  const keyOf = (directory: string, tool: ToolName): string => `${tool} ${directory}`

  /** Looks at all that a directory leads to, first down to those that are concerned, then back up from them. */
  const look = (from: string, tool: ToolName): void => {
    const seen = new Set([from])
    const found = new Set<string>()
    const callers = new Map<string, string[]>()
    for (const directory of seen) {
      const before = known.get(keyOf(directory, tool))
      if (before ?? weight(directories.facts(directory, tool)) > 0) found.add(directory)
      for (const { directory: used } of before === undefined ? uses(directory, tool) : []) {
        if (used === undefined) continue
        seen.add(used)
        const all = callers.get(used)
        if (all === undefined) callers.set(used, [directory])
        else all.push(directory)
      }
    }
    for (const directory of found) for (const caller of callers.get(directory) ?? []) found.add(caller)
    for (const directory of seen) known.set(keyOf(directory, tool), found.has(directory))
  }

  return (directory: string, tool: ToolName): boolean => {
    const key = keyOf(directory, tool)
    if (!known.has(key)) look(directory, tool)
    return known.get(key) === true
  }
}

/**
 * Visits a stack's directory and the modules that it calls, as far as they are concerned or lead to some that are. Returns false if
 * there are more calls than are followed.
 */
export const moduleCalls = (context: Context, weight: Weight) => {
  const leads = leading(context, weight)
  return (root: Root, rootScope: Scope, visit: Visit): boolean => {
    let left = MOST_CALLS
    let isAll = true
    const follow = (directory: string, scope: Scope, above: readonly string[]): void => {
      if (above.includes(directory) || !leads(directory, root.tool)) return
      if (left <= 0 || above.length > MOST_NESTED) return
      left -= Math.max(1, weight(context.directories.facts(directory, root.tool)))
      if (left <= 0 || above.length === MOST_NESTED) isAll = false
      visit(directory, scope)
      for (const use of context.uses(directory, root.tool)) {
        if (use.directory === undefined) continue
        follow(use.directory, moduleScope(use, scope, root, context.directories), [...above, directory])
      }
    }
    follow(root.path, rootScope, [])
    return isAll
  }
}

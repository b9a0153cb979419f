import { HclError } from '../../hcl/hcl-error.ts'
import { parseHcl } from '../../hcl/parse-hcl.ts'
import { parseTfJson } from '../../hcl/tf-json.ts'
import { type Expressions, fieldsOf } from '../facts/file-facts.ts'
import type { Tree } from '../tree/tree.ts'
import type { Warn } from '../warning.ts'

/** Reads files that are values alone, `.tfvars` and backend configuration, each once however many stacks name it. */
export type ValuesFiles = (path: string) => Expressions | undefined

export const valuesFiles = (tree: Tree, warn: Warn): ValuesFiles => {
  const known = new Map<string, Expressions | undefined>()
  const read = (path: string): Expressions | undefined => {
    const text = tree.text(path)
    if (text === undefined) return undefined
    try {
      return fieldsOf(path.endsWith('.json') ? parseTfJson(text, 'values') : parseHcl(text))
    } catch (error) {
      if (!(error instanceof HclError)) throw error
      const { line, column, message } = error
      warn({ code: 'syntax', message: `${path}:${message}`, file: path, line, column })
      return {}
    }
  }
  return (path) => {
    if (!known.has(path)) known.set(path, read(path))
    return known.get(path)
  }
}

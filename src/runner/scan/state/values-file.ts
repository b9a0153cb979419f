import { HclError } from '../../hcl/hcl-error.ts'
import { parseHcl } from '../../hcl/parse-hcl.ts'
import { parseTfJson } from '../../hcl/tf-json.ts'
import { type Expressions, fieldsOf } from '../facts/file-facts.ts'
import { encryptedBy, saysEncrypted } from '../tree/encrypted.ts'
import type { Tree } from '../tree/tree.ts'
import type { Warn } from '../warning.ts'

/** What a file sets; `missing` if it is not in the repository, `unreadable` if a warning was already given. */
export type Values = Expressions | 'missing' | 'unreadable'

/** Reads files that hold only values, `.tfvars` and backend configuration. Each is read once, however many stacks name it. */
export type ValuesFiles = (path: string) => Values

export const valuesFiles = (tree: Tree, warn: Warn): ValuesFiles => {
  const known = new Map<string, Values>()
  const read = (path: string): Values => {
    const text = tree.text(path)
    if (text === undefined) return 'missing'
    const by = encryptedBy(text)
    if (by !== undefined) {
      warn({ code: 'encrypted', message: `${path} ${saysEncrypted(by)}`, file: path })
      return 'unreadable'
    }
    try {
      return fieldsOf(path.endsWith('.json') ? parseTfJson(text, 'values') : parseHcl(text))
    } catch (error) {
      if (!(error instanceof HclError)) throw error
      const { line, column, message } = error
      warn({ code: 'syntax', message: `${path}:${message}`, file: path, line, column })
      return 'unreadable'
    }
  }
  return (path) => {
    const values = known.get(path) ?? read(path)
    known.set(path, values)
    return values
  }
}

import { type Body, emptyBody } from '../../hcl/body.ts'
import { HclError } from '../../hcl/hcl-error.ts'
import { parseHcl } from '../../hcl/parse-hcl.ts'
import type { Tree } from '../tree/tree.ts'
import type { Warn } from '../warning.ts'

export const UNIT_FILE = 'terragrunt.hcl'
/** The same in another syntax, which is not read. */
export const JSON_FILE = 'terragrunt.hcl.json'
export const STACK_FILE = 'terragrunt.stack.hcl'
export const VALUES_FILE = 'terragrunt.values.hcl'

/** A configuration file: its text, and its blocks; without them if it cannot be read. */
export type ConfigFile = { text: string; body: Body; isBroken: boolean }

/** The tree as Terragrunt sees it once its stacks are generated: a generated directory has the files of its source. */
export type Files = {
  /** The file in the repository that a path names, also inside a generated directory. */
  real: (path: string) => string | undefined
  isDirectory: (path: string) => boolean
  text: (path: string) => string | undefined
  config: (path: string) => ConfigFile | undefined
  generate: (directory: string, source: string) => void
}

const directoriesOf = (paths: readonly string[]): Set<string> => {
  const directories = new Set<string>(['.'])
  for (const path of paths)
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const directory = path.slice(0, end)
      if (directories.has(directory)) break
      directories.add(directory)
    }
  return directories
}

export const filesOf = (tree: Tree, paths: readonly string[], warn: Warn): Files => {
  const directories = directoriesOf(paths)
  const generated = new Map<string, string>()
  const parsed = new Map<string, ConfigFile | undefined>()

  const mapped = (path: string): string => {
    if (generated.size === 0) return path
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const source = generated.get(path.slice(0, end))
      if (source === undefined) continue
      const below = path.slice(end + 1)
      return below === '' ? source : source === '.' ? below : `${source}/${below}`
    }
    return path
  }

  const parse = (path: string): ConfigFile | undefined => {
    const text = tree.text(path)
    if (text === undefined) return undefined
    try {
      return { text, body: parseHcl(text), isBroken: false }
    } catch (error) {
      if (!(error instanceof HclError)) throw error
      const { line, column, message } = error
      warn({ code: 'syntax', message: `${path}:${message}`, file: path, line, column })
      return { text, body: emptyBody, isBroken: true }
    }
  }

  return {
    real: (path) => {
      const at = mapped(path)
      return tree.has(at) ? at : undefined
    },
    isDirectory: (path) => directories.has(tree.links.real(mapped(path))),
    text: (path) => tree.text(mapped(path)),
    config: (path) => {
      const at = mapped(path)
      if (!parsed.has(at)) parsed.set(at, parse(at))
      return parsed.get(at)
    },
    generate: (directory, source) => void generated.set(directory, mapped(source)),
  }
}

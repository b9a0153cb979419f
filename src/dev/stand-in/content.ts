import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** A stack as a tool is started on it. */
export type Stack = {
  dir: string
  /** Relative to `dir`. */
  varFiles: readonly string[]
  workspace: string
  /** The state of all stacks is below it; absolute. */
  stateDir: string
}

/** The parts of a state file that we read. */
type State = { outputs?: unknown; resources?: unknown }

/**
 * Everything a plan depends on, as one hash: the files of the stack's directory, the local modules it uses, the files it
 * reads with file(), the var files it is given, the workspace, its own state, and the outputs of the states it reads. The
 * place of the state (`stateDir`) is left out, since it differs from machine to machine.
 */
export const contentHash = ({ dir, varFiles, workspace, stateDir }: Stack): string => {
  const files = new Map<string, string>()
  collect(resolve(dir), files)
  for (const file of varFiles) files.set(resolve(dir, file), readFileSync(resolve(dir, file), 'utf8'))
  const hash = createHash('sha256').update(JSON.stringify([workspace]))
  const add = (text: string) => hash.update(JSON.stringify(text.replaceAll(stateDir, '')))
  // By order, not by name: a checkout may be anywhere.
  for (const [, text] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) add(text)
  const { own, read } = statesOf(dir, workspace)
  const { outputs, resources } = readState(own) ?? {}
  add(JSON.stringify([outputs, resources, ...read.map((path) => readState(path)?.outputs ?? null)]))
  return hash.digest('hex').slice(0, 16)
}

/** The file of the stack's own state. */
export const stateFile = (dir: string, workspace: string): string => statesOf(dir, workspace).own

export const readState = (path: string): State | undefined =>
  existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined

/** The state paths of the demo's stacks, all of which keep their state with the backend `local` and spell its path. */
const statesOf = (dir: string, workspace: string): { own: string; read: string[] } => {
  const texts = sources(dir).map((path) => readFileSync(path, 'utf8'))
  const [, backend = ''] = /backend "local" \{([^{}]*)\}/.exec(texts.join('\n')) ?? []
  const named = (name: string): string => new RegExp(`\\b${name}\\s*=\\s*"([^"]+)"`).exec(backend)?.[1] ?? ''
  const own = workspace === 'default' ? named('path') : join(named('workspace_dir'), workspace, 'terraform.tfstate')
  const read = texts.flatMap((text) =>
    [...text.matchAll(/\bpath\s*=\s*"([^"]+\.tfstate)"/g)].map(([, path = '']) => path),
  )
  return { own, read: [...new Set(read)].filter((path) => path !== named('path')).toSorted() }
}

const sources = (dir: string): string[] =>
  readdirSync(dir)
    .filter((name) => name.endsWith('.tf'))
    .map((name) => join(dir, name))

const collect = (dir: string, files: Map<string, string>): void => {
  for (const path of sources(dir)) {
    if (files.has(path)) continue
    const text = readFileSync(path, 'utf8')
    files.set(path, text)
    for (const [, source = ''] of text.matchAll(/\bsource\s*=\s*"(\.\.?\/[^"]+)"/g))
      collect(resolve(dir, source), files)
    for (const [, read = ''] of text.matchAll(/\bfile\("\$\{path\.module\}\/([^"]+)"\)/g)) {
      const target = resolve(dir, read)
      if (existsSync(target)) files.set(target, readFileSync(target, 'utf8'))
    }
  }
}

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * What a plan depends on, as one hash: the files of the stack's directory, of the local modules that it uses and that it
 * reads with file(), the var files it is given and the workspace. State is left out, as the demo's is always the recorded
 * one, and so is where it lies (`stateDir`), which differs from machine to machine.
 */
export const contentHash = (dir: string, varFiles: string[], workspace: string, stateDir: string): string => {
  const files = new Map<string, string>()
  collect(resolve(dir), files)
  for (const file of varFiles) files.set(resolve(dir, file), readFileSync(resolve(dir, file), 'utf8'))
  const hash = createHash('sha256').update(JSON.stringify([workspace]))
  // By order, not by name: a checkout may be anywhere.
  for (const [, text] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(JSON.stringify(text.replaceAll(stateDir, '')))
  }
  return hash.digest('hex').slice(0, 16)
}

const collect = (dir: string, files: Map<string, string>): void => {
  for (const name of readdirSync(dir).filter((each) => each.endsWith('.tf'))) {
    const path = join(dir, name)
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

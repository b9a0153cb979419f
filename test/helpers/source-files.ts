import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const root = join(import.meta.dirname, '../..')

export type Import = { to: string; typeOnly: boolean }
/** `path` and every `to` of our own are relative to the checkout; a library's `to` is its bare name. */
export type SourceFile = { path: string; text: string; lines: number; imports: Import[] }

/** Every file that a pattern finds, with what it imports. */
const sourceFiles = (pattern: string): SourceFile[] =>
  globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', 'ui/dist/**'] })
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return { path, text, lines: text.trimEnd().split('\n').length, imports: importsOf(path, text) }
    })

/**
 * Static imports and re-exports as the formatter leaves them (one statement a line, or braces over several lines), and import()
 * with a literal. It scans the text, because TypeScript 7 has no parser to call.
 */
const importsOf = (path: string, text: string): Import[] => {
  const statements = text.matchAll(/^(?:import|export)(\s+type\b(?!\s*,))?(?:\s+[\w*{][^'"`;]*?\sfrom)?\s+'([^']+)'/gm)
  const dynamic = text.matchAll(/\bimport\((')([^']+)'\)/g)
  return [
    ...[...statements].map(([, type, target]) => ({ to: resolveImport(path, target ?? ''), typeOnly: Boolean(type) })),
    ...[...dynamic].map(([, , target]) => ({ to: resolveImport(path, target ?? ''), typeOnly: false })),
  ]
}

/** As package.json's "imports" and the TypeScript settings say. */
const resolveImport = (from: string, target: string): string => {
  if (target.startsWith('.')) return normalize(join(dirname(from), target))
  const own = /^#(machines\/|test\/)?(.+)$/.exec(target)
  return own ? `${own[1] ?? 'src/'}${own[2]}` : target
}

/** Everything that is written in TypeScript here: what the product is made of, and its tests. */
export const files: readonly SourceFile[] = sourceFiles('{src,machines,ui,test}/**/*.{ts,tsx}')
export const product: readonly SourceFile[] = files.filter((file) => !file.path.startsWith('test/'))
export const tests: readonly SourceFile[] = files.filter((file) => file.path.startsWith('test/'))
/** The style sheets of the web interface. */
export const styles: readonly SourceFile[] = sourceFiles('ui/**/*.css')

/** A file that is not there, to show that a rule would find it. */
export const sourceFile = (path: string, ...to: string[]): SourceFile => ({
  path,
  text: '',
  lines: 0,
  imports: to.map((each) => ({ to: each, typeOnly: true })),
})

import type { SourceFile } from '#test/helpers/source-files.ts'

/** The names that a file exports and declares, as the formatter leaves them: at the beginning of a line. */
const exportsOf = ({ text }: SourceFile): string[] =>
  [...text.matchAll(/^export (?:async )?(?:const|let|function|class|type) (\w+)/gm)].map(([, name]) => name ?? '')

/** How often a file says a word. */
const mentions = ({ text }: SourceFile, word: string): number =>
  text.match(new RegExp(`\\b${word}\\b`, 'g'))?.length ?? 0

/**
 * What is exported for tests alone, as `file: name`: no other file of the product imports it, and its own says it once, where it
 * is declared. What a file uses itself may be exported for a test of that part.
 */
export const exportsForTests = (product: readonly SourceFile[], tests: readonly SourceFile[]): string[] =>
  product.flatMap((file) => {
    const isUser = (other: SourceFile, name: string): boolean =>
      other !== file && other.imports.some(({ to }) => to === file.path) && mentions(other, name) > 0
    return exportsOf(file)
      .filter((name) => tests.some((test) => isUser(test, name)))
      .filter((name) => mentions(file, name) === 1 && !product.some((other) => isUser(other, name)))
      .map((name) => `${file.path}: ${name}`)
  })

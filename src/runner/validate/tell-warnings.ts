import { type ConfigProblem, placesOfConfig } from '#domain/config/config-file.ts'
import { keyPath, problemsShown } from '#domain/config/config-problems.ts'
import { clip } from '#domain/texts/markdown.ts'
import { problemText } from '../checkout/repo-config.ts'
import type { Output } from '../output/output.ts'
import type { Finding } from './finding.ts'

const MOST_CHARS = 1000

/** Findings with their places in the text, in the file's order. */
export const placed = (text: string, findings: readonly Finding[]): ConfigProblem[] => {
  if (findings.length === 0) return []
  const placeOf = placesOfConfig(text)
  return findings
    .map(({ path, message }) => ({ key: keyPath(path), message: clip(message, MOST_CHARS), ...placeOf(path) }))
    .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
}

/** Prints the first warnings; they are errors for who wants them to be. */
export const tellWarnings = (
  output: Output,
  warnings: readonly ConfigProblem[],
  { file, isStrict }: { file: string; isStrict: boolean },
): void => {
  const tell = isStrict ? output.fail : output.warn
  for (const warning of warnings.slice(0, problemsShown))
    tell(problemText(warning), { file, line: warning.line, column: warning.column })
  const more = warnings.length - problemsShown
  if (more > 0) tell(`and ${more} more: svc validate --json has all of them`)
}

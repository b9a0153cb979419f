import type { Output } from '../output/output.ts'
import type { ScanWarning } from '../scan/warning.ts'

/** Of one kind: who mends the first few has seen what the others are. GitHub shows ten annotations a step. */
const SHOWN = 5

/** Some five lines of a terminal. A message may name a thousand stacks, or a path of 4 KB. */
const LONGEST = 400

const cut = (message: string): string => {
  if (message.length <= LONGEST) return message
  const kept = message.slice(0, LONGEST).toWellFormed()
  return `${kept}… (${message.length - LONGEST} more characters)`
}

/** Shows what a person should see of a scan: kind by kind, the first few of each, and where the others are. */
export const tellScanWarnings = (output: Output, warnings: readonly ScanWarning[]): void => {
  for (const [code, same] of Map.groupBy(warnings, (warning) => warning.code)) {
    for (const { message, file, line, column } of same.slice(0, SHOWN))
      output.warn(cut(message), file === undefined ? undefined : { file, line, column })
    const rest = same.length - SHOWN
    if (rest > 0) output.note(`and ${rest} more of ${code}; svc scan --json lists all`)
  }
}

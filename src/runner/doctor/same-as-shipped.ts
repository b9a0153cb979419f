import { createHash } from 'node:crypto'
import { clientPlace } from '../workflows/shipped.ts'

/** The lines that a workflow does something by: without comments, and without the step that puts svc on the PATH. */
const workingLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !line.trimStart().startsWith('#') && !line.includes(clientPlace))
    .filter((line) => !/^\s*- uses: [^/@\s]+\/svc(?:\/[^@\s]*)?@\S+$/.test(line))

const digest = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 8)

/** How a workflow compares with the one that this version ships: by the hashes of what they do, and the lines that differ. */
export const comparedWithShipped = (text: string, shipped: string): string => {
  const [here, there] = [workingLines(text), workingLines(shipped)]
  const [own, theirs] = [digest(here), digest(there)]
  if (own === theirs) return `does what this version ships (${theirs})`
  const [known, kept] = [new Set(there), new Set(here)]
  const added = here.filter((line) => !known.has(line)).length
  const gone = there.filter((line) => !kept.has(line)).length
  return `has what is needed; against what this version ships (${theirs}) it has ${added} other lines, and lacks ${gone} (${own})`
}

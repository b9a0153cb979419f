import { commentMarker } from '#domain/comments/pull-comment.ts'

/**
 * What GitHub would stumble over: fences and elements that do not pair up, rows of different length, a missing beginning or
 * end. `outside` are the lines that GitHub reads as Markdown.
 */
export const inspect = (comment: string): { faults: string[]; outside: string[] } => {
  const faults: string[] = []
  const outside: string[] = []
  let fence = ''
  let open = 0
  for (const line of comment.split('\n')) {
    const ticks = /^(`{3,})(?:diff)?$/.exec(line)?.[1] ?? ''
    if (fence !== '') {
      if (ticks.length >= fence.length) fence = ''
      continue
    }
    if (ticks !== '') fence = ticks
    else outside.push(line)
    open += (ticks === '' && line.startsWith('<details>') ? 1 : 0) - (line === '</details>' ? 1 : 0)
    if (open < 0 || open > 1) faults.push(`${open} blocks open at ${line}`)
  }
  if (fence !== '') faults.push(`a fence is open: ${fence}`)
  if (open !== 0) faults.push(`${open} blocks are open`)
  if (!comment.startsWith(`${commentMarker}\n`)) faults.push('it does not begin with the marker')
  if (!outside.at(-1)?.startsWith('[Run](')) faults.push('it does not end with the link to the run')
  for (const table of tablesOf(outside)) {
    const cells = new Set(table.map((line) => line.replace(/\\./g, '').split('|').length))
    if (cells.size > 1) faults.push(`rows of ${[...cells]} cells`)
  }
  return { faults, outside }
}

/** Rows that follow each other. */
export const tablesOf = (lines: readonly string[]): string[][] =>
  lines
    .join('\n')
    .split(/\n(?!\|)/)
    .map((part) => part.split('\n').filter((line) => line.startsWith('|')))

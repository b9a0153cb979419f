import { type Cursor, fail } from './cursor.ts'
import { isBlank } from './spaces.ts'
import { templateAt } from './template-mark.ts'

/*
 * Heredocs, `<<NAME` and the indented `<<-NAME`: lines up to one that contains only the name, with templates inside. The name
 * in a template's own lines does not end the heredoc.
 */

const OPENING = /<<-?([\p{ID_Start}_][\p{ID_Continue}-]*)\r?\n/uy
const TEMPLATE = /[$%]\{/g

const nextTemplate = (text: string, from: number): number => {
  TEMPLATE.lastIndex = from
  return TEMPLATE.exec(text)?.index ?? text.length
}

/** The name of the heredoc that opens at an offset, and where its first line begins. */
export const heredocName = (text: string, at: number): { name: string; end: number } | undefined => {
  OPENING.lastIndex = at
  const name = OPENING.exec(text)?.[1]
  return name === undefined ? undefined : { name, end: OPENING.lastIndex }
}

/**
 * Skips the heredoc at the cursor, to the end of the line that closes it; false if there is none. `interpolation` skips a
 * template from after its `${`.
 */
export const skipHeredoc = (cursor: Cursor, interpolation: (cursor: Cursor) => void): boolean => {
  const { text, at: opened } = cursor
  const opening = heredocName(text, opened)
  if (opening === undefined) return false
  const { name } = opening
  cursor.at = opening.end
  let lineStart = cursor.at
  let template = nextTemplate(text, cursor.at)
  for (;;) {
    const end = text.indexOf('\n', cursor.at)
    if (end < 0) fail(cursor, `unclosed heredoc: a line '${name}' is missing`, opened)
    if (template < end) {
      const escaped = template > cursor.at && templateAt(text, template - 1) === 'escaped'
      cursor.at = template + 2
      if (!escaped) interpolation(cursor)
      template = nextTemplate(text, cursor.at)
      continue
    }
    const line = text.slice(lineStart, end)
    const named = line.indexOf(name)
    if (named >= 0 && isBlank(line.slice(0, named)) && isBlank(line.slice(named + name.length))) {
      cursor.at = lineStart + named + name.length
      return true
    }
    lineStart = end + 1
    cursor.at = lineStart
  }
}

export type HeredocText = { indented: boolean; body: string }

/** The lines inside a heredoc's text, with the newline of the last one. */
export const heredocBody = (source: string): HeredocText => ({
  indented: source.startsWith('<<-'),
  body: source.slice(source.indexOf('\n') + 1, source.lastIndexOf('\n') + 1),
})

import { type Html, html } from './html.ts'

/** What a line of Markdown may contain: the first pattern that matches at a place is used, else the character as it is. */
const kinds: readonly (readonly [RegExp, (match: RegExpExecArray) => Html])[] = [
  [/\\([!-/:-@[-`{-~])/y, ([, char]) => html`${char}`],
  [/(`+)(.+?)\1(?!`)/y, ([, , code]) => html`<code>${code}</code>`],
  [/<code>(.*?)<\/code>/y, ([, code = '']) => html`<code>${decoded(code)}</code>`],
  [/<br ?\/?>/y, () => html`<br>`],
  [/\*\*(.+?)\*\*/y, ([, text = '']) => html`<strong>${inline(text)}</strong>`],
  // The label may hold code with brackets, or one pair of them.
  [/\[((?:<code>.*?<\/code>|`[^`]*`|[^\][`]|\[[^\][]*\])+)\]\((https?:\/\/[^\s()]+)\)/y, (match) => linkOf(match)],
  [/&(?:amp|lt|gt|quot|#\d{1,7});/y, ([entity]) => html`${decoded(entity)}`],
  [/[^\\`<*[&]+/y, ([text]) => html`${text}`],
]

/** One line of Markdown: links, code, strong text, line breaks and entities. */
export const inline = (line: string): Html => {
  const parts: Html[] = []
  let at = 0
  while (at < line.length) {
    const { part, length } = partAt(line, at)
    parts.push(part)
    at += length
  }
  return { html: parts.map((part) => part.html).join('') }
}

const partAt = (line: string, at: number): { part: Html; length: number } => {
  for (const [pattern, show] of kinds) {
    pattern.lastIndex = at
    const match = pattern.exec(line)
    if (match) return { part: show(match), length: match[0].length }
  }
  return { part: html`${line[at]}`, length: 1 }
}

const linkOf = ([, label = '', address]: RegExpExecArray): Html =>
  html`<a rel="noreferrer" href="${address}">${inline(label)}</a>`

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }

const decoded = (text: string): string =>
  text.replace(/&(?:(amp|lt|gt|quot)|#(\d{1,7}));/g, (entity, name?: string, number?: string) => {
    if (name !== undefined) return named[name] ?? entity
    const code = Number(number)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity
  })

import { type Html, html } from './html.ts'
import { inline } from './markdown-inline.ts'

/**
 * GitHub-flavoured Markdown as a page shows it: only what apps write in comments and check runs (headings, lists, tables,
 * fences, details, links, code); the rest is text. `html` escapes every text. Source: github.github.com/gfm.
 */
export const markdown = (text: string): Html => {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const blocks: Html[] = []
  while (lines.length > 0) blocks.push(...takeBlock(lines))
  return html`${blocks}`
}

/** Takes the lines of one block off the front. */
const takeBlock = (lines: string[]): Html[] => {
  const first = lines[0] ?? ''
  for (const [pattern, take] of kinds) {
    const match = pattern.exec(first)
    if (match && (take !== takeTable || isDelimiter(lines[1]))) return take(lines, match)
  }
  return takeParagraph(lines)
}

type Take = (lines: string[], match: RegExpExecArray) => Html[]

const takeOne = (show: (match: RegExpExecArray) => Html[]): Take => {
  return (lines, match) => {
    lines.shift()
    return show(match)
  }
}

/** GitHub colours a line of a diff by its first character. */
const diffSigns: Record<string, string> = { '+': 'added', '-': 'removed', '!': 'changed' }

const diffLine = (line: string): Html => {
  const sign = diffSigns[line.charAt(0)]
  return sign === undefined ? html`${line}` : html`<span class="${sign}">${line}</span>`
}

const takeFence: Take = (lines, [, fence = '', language = '']) => {
  lines.shift()
  const end = lines.findIndex((line) => /^`+ *$/.test(line) && line.trim().length >= fence.length)
  const inside = lines.splice(0, end < 0 ? lines.length : end)
  lines.shift()
  return [html`<pre>${language.trim() === 'diff' ? inside.map(diffLine) : inside.join('\n')}</pre>`]
}

const takeWhile = (lines: string[], belongs: (line: string) => boolean): string[] => {
  const end = lines.findIndex((line) => !belongs(line))
  return lines.splice(0, end < 0 ? lines.length : end)
}

const takeList: Take = (lines) => {
  const items = takeWhile(lines, (line) => line.startsWith('- '))
  return [html`<ul class="text">${items.map((item) => html`<li>${inline(item.slice(2))}</li>`)}</ul>`]
}

const takeTable: Take = (lines) => {
  const [head = '', , ...rows] = takeWhile(lines, (line) => line.startsWith('|'))
  const headings = cellsOf(head).map((cell) => html`<th>${inline(cell)}</th>`)
  const body = rows.map((row) => html`<tr>${cellsOf(row).map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)
  return [html`<div class="wide"><table><tr>${headings}</tr>${body}</table></div>`]
}

const isDelimiter = (line: string | undefined): boolean => /^\|(?: *:?-+:? *\|)+ *$/.test(line ?? '')

/** Cells are split before anything in them is parsed, code too; only `\|` is no border. */
const cellsOf = (row: string): string[] =>
  row
    .replace(/^\||\| *$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

const takeParagraph = (lines: string[]): Html[] => {
  // At least one: a line may look like the beginning of a block without being one, such as a table without a second line.
  const first = lines.shift() ?? ''
  const more = takeWhile(lines, (line) => line !== '' && !kinds.some(([pattern]) => pattern.test(line)))
  return [html`<p>${[first, ...more].map((line) => html`${inline(line)}<br>`)}</p>`]
}

const kinds: readonly (readonly [RegExp, Take])[] = [
  [/^\s*$/, takeOne(() => [])],
  [/^<!--.*-->\s*$/, takeOne(() => [])],
  [/^(`{3,})([^`]*)$/, takeFence],
  [/^(#{1,6}) +(.*)$/, takeOne(([, , title = '']) => [html`<h3>${inline(title)}</h3>`])],
  [/^- /, takeList],
  [/^\|/, takeTable],
  [
    /^<details><summary>(.*)<\/summary>\s*$/,
    takeOne(([, title = '']) => [{ html: html`<details><summary>${inline(title)}</summary>`.html }]),
  ],
  [/^<\/details>\s*$/, takeOne(() => [html`</details>`])],
]

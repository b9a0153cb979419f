import { planDiff } from './plan-diff.ts'
import { trimEndOf } from './trim.ts'

/*
 * Text by others in GitHub-flavoured Markdown: stack keys, plan text, summaries of checks. It must never become markup: a key
 * may contain a pipe, a backtick, `<!--` or a mention, and a plan may contain a whole fence.
 */

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/**
 * A name as code. The backtick form reads well in the source. It cannot hold a backtick, nor `\|` in a table, since cells are
 * split before code is parsed. Mentions stay text in both forms.
 */
export const code = (text: string): string => {
  const line = oneLine(text)
  return /[`|\\]/.test(line) || line !== line.trim() || line === '' ? htmlCode(line) : `\`${line}\``
}

/** A name as an HTML element, for places inside HTML; every character that Markdown could interpret is an entity. */
export const htmlCode = (text: string): string => {
  const entities = oneLine(text).replace(/[^\p{L}\p{N} ./:=,@-]/gu, (char) => `&#${char.codePointAt(0)};`)
  return `<code>${entities}</code>`
}

/** A sentence shown as it is written, without formatting and without links, mentions or references of its own. */
export const plain = (text: string): string =>
  oneLine(text)
    .replace(/[&<>]/g, (char) => escapes[char] ?? char)
    .replace(/[\\`*_[\]|~$]/g, '\\$&')
    .replace(/([@#])(?=[\p{L}\p{N}_])/gu, '$1\u200b')

/** A link if the address is a web address; otherwise only its label. The label is Markdown already. */
export const link = (label: string, address: string | undefined): string =>
  isWebAddress(address)
    ? `[${label}](${address.toWellFormed().replace(/[()<>"|\\`]/g, (char) => percent(char))})`
    : label

export const isWebAddress = (address: string | undefined): address is string =>
  address !== undefined && /^https?:\/\/\S+$/i.test(address)

const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`

/** Text cut to a number of characters, with the cut shown by an ellipsis. */
export const clip = (text: string, chars: number): string =>
  text.length <= chars
    ? text
    : `${text
        .slice(0, chars - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`

/**
 * Text that fits in `limit` characters: whole, or cut at the end of a line and followed by a line with `note`. `isAll`: nothing
 * was cut before.
 */
export const cutAtLine = (text: string, limit: number, note: string, isAll = true): string => {
  if (isAll && text.length <= limit) return text
  const room = limit - note.length - 1
  const head = text.slice(0, Math.max(room, 0))
  // A line longer than all the room (minified JSON in a plan) is cut in the middle, or nothing would be left.
  const end = head.lastIndexOf('\n')
  const kept = end > 0 ? head.slice(0, end) : head.toWellFormed().replace(/\uFFFD$/, '')
  return `${kept}\n${note}`.slice(0, limit)
}

/** A run of backticks longer than anybody writes is broken up, or a fence could outgrow its text. */
const longerFence = /`{40}(?=`)/g

/** Colours and carriage returns are taken out before a text is measured: so much more of it is looked at than is shown. */
const searched = 4

/**
 * Text as a code block of at most `limit` characters, cut at a line if need be. The fence is longer than any run of
 * backticks in the text, so nothing in it closes the block. Of a text that is far longer than that, only the beginning is read.
 */
export const fenced = (
  text: string,
  limit = Number.POSITIVE_INFINITY,
  note = 'Cut here.',
  language: '' | 'diff' = '',
): string => {
  const head = text.slice(0, limit * searched)
  const plain = printable(head).replace(longerFence, '$&\u200b')
  const clean = language === 'diff' ? planDiff(plain) : plain
  const longest = (clean.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  const room = limit - 2 * fence.length - language.length - 2
  const body = cutAtLine(trimEndOf(clean, '\n'), room, note, head.length === text.length)
  return `${fence}${language}\n${body}\n${fence}`
}

/**
 * Removes colours, carriage returns, control characters (a tool's output has some despite -no-color) and the marks that change
 * the direction of writing, which could make a plan show other lines than it has.
 */
const printable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '')

/** A plan, or the addresses of its changes, as a code block in which the code host colours the changes; otherwise as `fenced`. */
export const fencedPlan = (text: string, limit?: number, note?: string): string => fenced(text, limit, note, 'diff')

const oneLine = (text: string): string => printable(text).replace(/[\n\t\u2028\u2029]+/g, ' ')

/** The first few lines of a list, and how many more there are. */
export const fewer = (lines: readonly string[], shown: number): string[] => {
  const more = lines.length - shown
  return [...lines.slice(0, shown), ...(more > 0 ? [`- … and ${more} more`] : [])]
}

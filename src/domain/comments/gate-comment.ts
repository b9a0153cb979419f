import type { GateFailure, GateReport, LayerReport, Verdict } from '#domain/gate/evaluate-gate.ts'
import { whoCouldText } from '#domain/gate/who-could.ts'
import { clip, code, cutAtLine, link, plain } from '#domain/texts/markdown.ts'
import { shortSha } from '../run-report.ts'
import { usage, verbs } from './comment-command.ts'
import { commentLimit } from './pull-comment.ts'

/** What an answer about the gate refers to. `run` is the plan run whose page shows the gate; absent if there is none. */
export type GateAnswer = {
  report: GateReport
  headSha: string
  run?: { id: string; html_url: string } | undefined
  /** In characters. */
  limit?: number
}

const reasonChars = 1000
const stacksShown = 20

const stacksText = (stacks: readonly string[]): string => {
  if (stacks.length < 2) return ''
  const more = stacks.length - stacksShown
  const shown = stacks.slice(0, stacksShown).map((key) => code(clip(key, 300)))
  return `\n  ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const commandsInText = /(`svc (?:plan|apply|unlock|help)`)/

/** A reason as Markdown: the commands that it advises stay code, everything else is plain text. */
const spoken = (text: string): string =>
  text
    .split(commandsInText)
    .map((part, index) => (index % 2 === 1 ? part : plain(part)))
    .join('')

const failureLine = ({ layer, reason, stacks }: GateFailure): string =>
  `- ${code(layer)}: ${spoken(clip(reason, reasonChars))}${stacksText(stacks)}`

const footOf = ({ run }: GateAnswer, next: string): string =>
  [`**Next:** ${next}`, ...(run === undefined ? [] : [`${link('Run', run.html_url)} ${code(run.id)}`])].join('\n\n')

/** Head and foot whole, and as much of the middle as there is room for, cut at a line. */
const fitted = (answer: GateAnswer, head: string, middle: string, foot: string): string => {
  const room = (answer.limit ?? commentLimit) - head.length - foot.length - 4
  return [head, cutAtLine(middle, Math.max(room, 0), '- … more on the page of the run.'), foot].join('\n\n')
}

const things = (count: number): string => (count === 1 ? 'one thing stands' : `${count} things stand`)

/** Who is asked for what is said of each thing in the way; of rules several may say it of the same people. */
const peopleText = ({ failures, could }: GateReport): string => {
  const byRule = failures.some(
    ({ rule, layer, could: who }) => rule !== undefined || (layer === 'check' && who !== undefined),
  )
  return byRule && could !== undefined
    ? `**Fewest people who could let it through:** ${plain(whoCouldText(could))}.`
    : ''
}

/**
 * The answer to an apply that the gate refused, with everything that is in the way. `merged`: the merge would have started the
 * apply; there is no command to write again.
 */
export const refusalComment = (answer: GateAnswer & { merged?: boolean }): string => {
  const { report, headSha, merged = false } = answer
  const count = report.failures.length
  const head = merged
    ? `### ❌ Merged, and ${shortSha(headSha)} is not applied: ${things(count)} in the way`
    : `### ❌ Apply of ${shortSha(headSha)} refused: ${things(count)} in the way`
  const next = merged
    ? 'Nothing was applied and no lock was taken. Resolve what is listed, then have the stacks applied by a run with an API key, or by merging another change to them.'
    : 'Nothing was applied and no lock was taken. Resolve what is listed, then comment `svc apply` again; `svc help` shows the current state.'
  const people = peopleText(report)
  const foot = footOf(answer, next)
  return fitted(
    answer,
    head,
    report.failures.map(failureLine).join('\n'),
    people === '' ? foot : `${people}\n\n${foot}`,
  )
}

const effect: Record<(typeof verbs)[number], string> = {
  plan: 'plans the stacks again, all of them or those named',
  apply: 'applies the planned stacks wave by wave, once the gate lets them through',
  unlock: 'releases the locks that this pull request holds, all of them or those named',
  help: 'shows this',
}

const commandLines = verbs.map((verb) => `- ${code(usage[verb])} ${effect[verb]}`).join('\n')

const signs: Record<Verdict, string> = { pass: '✅', fail: '❌', pending: '⏳', unknown: '❔', off: '➖' }
const words: Record<Verdict, string> = {
  pass: 'passes',
  fail: 'refuses',
  pending: 'waits',
  unknown: 'not known',
  off: 'not asked',
}

const shown = 5

/** The first few texts, each clipped: a layer is one line of a table, which cannot be cut in the middle. */
const fewOf = (texts: readonly string[], chars: number): string[] => {
  const more = texts.length - shown
  return [
    ...texts.slice(0, shown).map((text) => spoken(clip(text, chars))),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ]
}

/** What is in the way, or why the layer passes. */
const findings = ({ verdict, summary, failures, evidence }: LayerReport): string => {
  const reasons = failures.map(({ reason }) => reason)
  if (reasons.length > 0) return fewOf(reasons, 500).join('<br>')
  const texts = evidence.map(({ text }) => text)
  const proof = fewOf(texts, 200).join('; ')
  return `${spoken(summary)}.${proof === '' || verdict === 'off' ? '' : ` ${proof}.`}`
}

const layerRow = (report: LayerReport): string =>
  `| ${code(report.layer)} | ${signs[report.verdict]} ${words[report.verdict]} | ${findings(report)} |`

/** The answer to `svc help`: the commands, and the current state of the gate. */
export const helpComment = (answer: GateAnswer): string => {
  const { report, headSha } = answer
  const count = report.failures.length
  const head = [
    '### Commands',
    commandLines,
    `A key is a stack's key or a glob such as ${code('aws/**')}. A command is the first line of a comment that begins with it, outside code and quotes.`,
    `### The apply gate for ${shortSha(headSha)} now: ${report.allowed ? 'open' : `${things(count)} in the way`}`,
  ].join('\n\n')
  const table = ['| Layer | | |', '| --- | --- | --- |', ...report.layers.map(layerRow)].join('\n')
  const next = report.allowed
    ? 'Read the plans; comment `svc apply` to apply them.'
    : 'Resolve what is in the way; the gate is judged again with every command.'
  return fitted(answer, head, table, footOf(answer, next))
}

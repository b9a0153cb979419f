import { inOrder, type ReportedRun, type ReportedStack, type RunReport, stackUrl } from '../run-report.ts'
import { changeCounts, many } from './change-counts.ts'
import { code, fenced, fencedPlan, htmlCode, link } from './markdown.ts'
import { addressList } from './summary-addresses.ts'

/** One collapsible block of the comment. */
type Section = { stack: ReportedStack; text: string }

const errorRoom = 3_000

/**
 * Errors, then plans, each opened by a click, by wave and key, in at most `room` characters. If not all fit, the smallest are
 * shown, which makes their number the largest possible; the rest are links. Empty if there is no room or nothing to show.
 */
export const planSections = (report: RunReport, room: number): string => {
  const sections = inOrder(report.stacks).flatMap((stack) => sectionsOf(report.run, stack))
  const shown = fitting(sections, room, linksReserve(report.run))
  const texts = (rest: readonly Section[]): string[] =>
    [...rest].sort((one, other) => rank(one) - rank(other)).map(({ text }) => text)
  if (shown.size === sections.length) return joined(texts(sections))
  const kept = texts(sections.filter((section) => shown.has(section)))
  const used = kept.reduce((sum, text) => sum + text.length + 2, 0)
  const rest = sections.filter((section) => !shown.has(section))
  return joined([...kept, linksTo(report.run, rest, room - used)])
}

/** All of them, or the failed and the smallest that leave room for the links to the rest. */
const fitting = (sections: readonly Section[], room: number, reserve: number): Set<Section> => {
  if (joined(sections.map(({ text }) => text)).length <= room) return new Set(sections)
  const bySize = [...sections].sort(
    (one, other) =>
      rank(one) - rank(other) || wholeFirst(one) - wholeFirst(other) || one.text.length - other.text.length,
  )
  const shown = new Set<Section>()
  let left = room - reserve
  for (const section of bySize) {
    left -= section.text.length + 2
    if (left < 0) break
    shown.add(section)
  }
  return shown
}

const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n')

const rank = ({ stack }: Section): number => (stack.status === 'failed' ? 0 : 1)

/** A beginning is as long as eight plans of a kilobyte, and says less. */
const wholeFirst = ({ stack }: Section): number => (stack.plan_more ? 1 : 0)

const sectionsOf = (run: ReportedRun, stack: ReportedStack): Section[] => {
  const blocks: string[] = []
  const { error_text, plan_text, summary } = stack
  if (error_text !== undefined && error_text !== '') {
    blocks.push(fenced(error_text, errorRoom, '… the rest is in the log of the job.'))
  }
  if (plan_text !== undefined && plan_text !== '') blocks.push(fencedPlan(plan_text))
  else if (summary !== undefined && addressList(summary) !== '') blocks.push(fencedPlan(addressList(summary)))
  if (blocks.length === 0) return []
  const note = stack.truncated === true && plan_text !== undefined ? ['The text was cut before it got here.'] : []
  if (stack.plan_more) note.push(`… cut here: ${link('the whole text', stackUrl(run, stack))}.`)
  return [{ stack, text: details(stack, [...blocks, ...note]) }]
}

/** The blank lines make GitHub read Markdown again inside the element. */
const details = (stack: ReportedStack, blocks: readonly string[]): string => {
  const counts = stack.summary === undefined ? '' : ` ${changeCounts(stack.summary)}`
  const failed = stack.status === 'failed' ? ' failed' : ''
  const title = `${htmlCode(stack.key)}${failed}${counts}`
  return `<details><summary>${title}</summary>\n\n${blocks.join('\n\n')}\n\n</details>`
}

const tooLong = (run: ReportedRun, count: number): string =>
  `${many(count, 'more plan')} in ${link('the run', run.html_url)}: a comment holds no more.`

/** Room for the sentence about what is left out, whatever the count. */
const linksReserve = (run: ReportedRun): number => tooLong(run, 1_000_000).length + 4

const linksTo = (run: ReportedRun, rest: readonly Section[], room: number): string => {
  const sentence = tooLong(run, rest.length)
  if (sentence.length > room) return ''
  const links: string[] = []
  let left = room - sentence.length - 4
  for (const { stack } of rest) {
    const one = link(code(stack.key), stackUrl(run, stack))
    left -= one.length + 2
    if (left < 0) break
    links.push(one)
  }
  return links.length === 0 ? sentence : `${sentence} ${links.join(', ')}`
}

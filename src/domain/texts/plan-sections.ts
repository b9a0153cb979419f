import { inOrder, type ReportedRun, type ReportedStack, type RunReport, stackUrl } from '../run-report.ts'
import { changeCounts, many } from './change-counts.ts'
import { code, fenced, fencedPlan, htmlCode, link } from './markdown.ts'
import { readingRank } from './reading-order.ts'
import { addressList } from './summary-addresses.ts'

/** One collapsible block of the comment. */
type Section = { stack: ReportedStack; text: string }

/** Errors and plans of a run, each opened by a click. */
export type PlanSections = {
  /** Of all of them together. */
  length: number
  /** As much of them as has room; empty if nothing has, or there is nothing to show. */
  within(room: number): string
}

const errorRoom = 3_000
const listRoom = 1_000

/**
 * Errors, then plans that take something away, then the others, each by wave and key. If not all have room, what goes away is
 * listed before any text is shown, then the smallest texts are, which makes their number the largest possible, and of larger ones
 * the addresses; the rest are links.
 */
export const planSections = (report: RunReport): PlanSections => {
  const sections = inOrder(report.stacks)
    .flatMap((stack) => sectionsOf(report.run, stack))
    .sort((one, other) => readingRank(one.stack) - readingRank(other.stack))
  const all = joined(sections.map(({ text }) => text))
  return {
    length: all.length,
    within: (room) => {
      if (all.length <= room) return all
      // that there are no changes is said without a text
      const loud = sections.filter(({ stack }) => stack.status !== 'noop')
      const shown = fitting(report.run, loud, room - linksReserve(report.run))
      const kept = loud.flatMap((section) => shown.get(section) ?? [])
      const used = kept.reduce((sum, text) => sum + text.length + 2, 0)
      const rest = loud.filter((section) => !shown.has(section))
      return joined([...kept, rest.length === 0 ? '' : linksTo(report.run, rest, room - used)])
    },
  }
}

/** What is shown of each section that has room for anything. */
const fitting = (run: ReportedRun, sections: readonly Section[], room: number): Map<Section, string> => {
  const shown = new Map<Section, string>()
  let left = room
  const show = (section: Section, text: string | undefined): void => {
    if (text === undefined) return
    const before = shown.get(section)
    const more = text.length + 2 - (before === undefined ? 0 : before.length + 2)
    if (more > left) return
    left -= more
    shown.set(section, text)
  }
  const bySize = [...sections].sort(
    (one, other) =>
      failedFirst(one) - failedFirst(other) ||
      wholeFirst(one) - wholeFirst(other) ||
      one.text.length - other.text.length,
  )
  for (const section of bySize) if (readingRank(section.stack) < 2) show(section, listOf(run, section))
  for (const section of bySize) show(section, section.text)
  for (const section of bySize) if (!shown.has(section)) show(section, listOf(run, section))
  return shown
}

const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n')

const failedFirst = ({ stack }: Section): number => (readingRank(stack) === 0 ? 0 : 1)

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
  if (blocks.length === 0 && !isUnread(stack)) return []
  const note = stack.truncated === true && plan_text !== undefined ? ['The text was cut before it got here.'] : []
  if (isUnread(stack)) note.push(`${link('Its plan', stackUrl(run, stack))} has no room here.`)
  else if (stack.plan_more) note.push(`… cut here: ${link('the whole text', stackUrl(run, stack))}.`)
  return [{ stack, text: details(stack, [...blocks, ...note]) }]
}

/** Nothing was read of its plan: others have all the room (read-texts.ts). */
const isUnread = ({ plan_text, plan_more }: ReportedStack): boolean => plan_text === '' && plan_more !== undefined

/** What a plan does in place of its text; undefined if the text is an error, or is hardly longer. */
const listOf = (run: ReportedRun, { stack, text }: Section): string | undefined => {
  const { error_text, plan_text, summary } = stack
  if (error_text || plan_text === undefined || summary === undefined) return undefined
  const addresses = addressList(summary)
  if (addresses === '') return undefined
  const list = fencedPlan(addresses, listRoom, '… more in its plan.')
  const short = details(stack, [list, `${link('Its plan', stackUrl(run, stack))} has no room here.`])
  return short.length < text.length ? short : undefined
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

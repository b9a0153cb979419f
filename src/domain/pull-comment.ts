import { appliedBlock } from './applied-block.ts'
import { clip, code, cutAtLine, link, plain } from './markdown.ts'
import { type ApplyMode, nextStep } from './next-step.ts'
import { planSections } from './plan-sections.ts'
import { failureText, warningsText } from './run-outcome.ts'
import { closed, inOrder, type RunReport } from './run-report.ts'
import { runTitle } from './run-title.ts'
import { checkSign } from './stack-outcome.ts'
import { checks, key, lock, result, stacksTable, wave, why } from './stacks-table.ts'

/** The first line of the one comment that a pull request has, by which it is found again. */
export const commentMarker = '<!-- svc:comment -->'

/** GitHub refuses a comment over 65,536 characters; the rest is for what a code host may add or count differently. */
export const commentLimit = 65_000

export type CommentOptions = {
  /** In characters; at least 4,000. */
  limit?: number
  apply?: ApplyMode
  /** The newest apply of the pull request, where there is one. */
  applied?: RunReport
  /** Sentences about the pull request rather than the run, such as that it conflicts and gets no jobs. */
  notes?: readonly string[]
}

/**
 * The comment on a pull request, whole: how its apply stands, then its plan, the stacks by wave, what stands in the way, what
 * to do next, and the plans. Never longer than the limit, and cut only between rows and blocks.
 */
export const pullComment = (given: RunReport, options: CommentOptions = {}): string => {
  const report = closed(given)
  const applied = options.applied && closed(options.applied)
  const whole = options.limit ?? commentLimit
  const isDone = applied !== undefined && startedAfter(applied, report)
  const apply = applied === undefined ? '' : appliedBlock(applied, { room: Math.floor(whole / 3), isNewest: isDone })
  const limit = whole - apply.length - commentMarker.length - 3
  const head = cutAtLine(headOf(report, options.notes ?? []), Math.floor(limit / 3), '… more on the page of the run.')
  const foot = footOf(report, options.apply, isDone)
  const around = head.length + foot.length + 8
  const table = report.stacks.length === 0 ? '' : stacksTable(report, columns, limit - around)
  const afterTable = limit - around - table.length
  const verdicts = cutAtLine(verdictsOf(report), Math.max(Math.floor(afterTable / 4), 0), '- …')
  const plans = planSections(report, afterTable - verdicts.length - 2)
  return `${commentMarker}\n${[apply, head, table, verdicts, plans, foot].filter((part) => part !== '').join('\n\n')}`
}

/** What is to be done next, the newer of the two runs says. */
const startedAfter = ({ run }: RunReport, plan: RunReport): boolean =>
  run.created_at === undefined || plan.run.created_at === undefined || run.created_at > plan.run.created_at

const columns = [wave, key, result, why, checks, lock]

const headOf = (report: RunReport, notes: readonly string[]): string => {
  const parts = [
    runTitle(report),
    notes.map((note) => `- ${plain(clip(note, 500))}`).join('\n'),
    failureText(report),
    warningsText(report),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

const footOf = (report: RunReport, apply: ApplyMode | undefined, isDone: boolean): string => {
  const { run } = report
  const later =
    run.mode === 'plan' && run.waves > 1 && run.status === 'planned'
      ? ' A plan of a later wave was made before the waves ahead of it are applied, so it may change with them.'
      : ''
  const next = isDone ? '' : `**Next:** ${nextStep(report, apply)}${later}\n\n`
  return `${next}${link('Run', run.html_url)} ${code(run.id)}`
}

const verdictsShown = 20

/** Checks that failed or warned, with what they say. */
const verdictsOf = ({ stacks }: RunReport): string => {
  const lines = inOrder(stacks).flatMap((stack) =>
    stack.checks
      .filter((check) => check.status !== 'pass')
      .map((check) => {
        const says = check.summary === undefined || check.summary === '' ? '' : `: ${plain(clip(check.summary, 300))}`
        return `- ${checkSign[check.status]} ${link(plain(check.name), check.details_url)} of ${code(stack.key)}${says}`
      }),
  )
  const more = lines.length - verdictsShown
  return [...lines.slice(0, verdictsShown), ...(more > 0 ? [`- … and ${more} more`] : [])].join('\n')
}

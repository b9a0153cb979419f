import { clip, code, cutAtLine, link, plain } from '#domain/texts/markdown.ts'
import { planSections } from '#domain/texts/plan-sections.ts'
import { failureText, warningsText } from '#domain/texts/run-outcome.ts'
import { checkSign } from '#domain/texts/stack-outcome.ts'
import { closed, inOrder, type RunReport } from '../run-report.ts'
import { foldedTable } from './folded-table.ts'
import { type ApplyMode, nextStep } from './next-step.ts'
import { runTitle } from './run-title.ts'
import { checks, key, lock, result, wave, why } from './stacks-table.ts'

/** The first line of a pull request's one comment, by which the comment is found again. */
export const commentMarker = '<!-- svc:comment -->'

/** GitHub refuses a comment over 65,536 characters; the margin is for what a code host may add or count differently. */
export const commentLimit = 65_000

export type CommentOptions = {
  /** In characters; at least 4,000. */
  limit?: number
  apply?: ApplyMode
  /** The newest apply of the pull request, if there is one. */
  applied?: RunReport
  /** Sentences about the pull request rather than the run, for example that it conflicts and gets no jobs. */
  notes?: readonly string[]
}

/**
 * The whole comment on a pull request: the state of its apply, then that of its plan and what to do next, what is in the way,
 * the stacks by wave, and the plans. Never longer than the limit, and cut only between rows and blocks.
 */
export const pullComment = (given: RunReport, options: CommentOptions = {}): string => {
  const report = closed(given)
  const applied = options.applied && closed(options.applied)
  const whole = options.limit ?? commentLimit
  const isDone = applied !== undefined && startedAfter(applied, report)
  const apply = applied === undefined ? '' : appliedBlock(applied, { room: Math.floor(whole / 3), isNewest: isDone })
  const limit = whole - apply.length - commentMarker.length - 3
  const next = isDone ? '' : nextOf(report, options.apply)
  const head = cutAtLine(
    headOf(report, next, options.notes ?? []),
    Math.floor(limit / 3),
    '… more on the page of the run.',
  )
  const foot = `${link('Run', report.run.html_url)} ${code(report.run.id)}`
  const around = head.length + foot.length + 8
  const left = limit - around
  const [allVerdicts, plans] = [verdictsOf(report), planSections(report)]
  // half of the room at least is for the table, and all that the plans leave of it
  const roomOfTable = Math.max(Math.floor(left / 2), left - plans.length - allVerdicts.length - 4)
  const table = report.stacks.length === 0 ? '' : foldedTable(report, columns, roomOfTable)
  const afterTable = left - table.length
  const verdicts = cutAtLine(allVerdicts, Math.max(Math.floor(afterTable / 4), 0), '- …')
  const texts = plans.within(afterTable - verdicts.length - 2)
  return `${commentMarker}\n${joined([apply, head, table, verdicts, texts, foot])}`
}

/** The newer of the two runs decides what to do next. */
const startedAfter = ({ run }: RunReport, plan: RunReport): boolean =>
  run.created_at === undefined || plan.run.created_at === undefined || run.created_at > plan.run.created_at

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n')

/**
 * The apply of a pull request as a part of its comment, in at most `room` characters. If it is older than the plan below it,
 * nothing is left to do about it: only its heading is shown, with a link.
 */
const appliedBlock = (report: RunReport, { room, isNewest }: { room: number; isNewest: boolean }): string => {
  const { run } = report
  const page = `${link('Apply', run.html_url)} ${code(run.id)}`
  if (!isNewest) return cutAtLine(`${runTitle(report)}\n\n${page}`, room, '…')
  const next = `**Next:** ${nextStep(report, undefined)}`
  const head = cutAtLine(joined([runTitle(report), next, warningsText(report)]), Math.floor(room / 3), '…')
  const left = room - head.length - page.length - 8
  const table = report.stacks.length === 0 ? '' : foldedTable(report, [wave, key, result, lock], left)
  // the plans are shown below; of an apply only what went wrong is worth a block
  const failed = report.stacks.filter((stack) => stack.error_text !== undefined)
  const errors = planSections({
    run,
    stacks: failed.map((stack) => ({ ...stack, plan_text: undefined, summary: undefined })),
  }).within(left - table.length)
  return joined([head, table, errors, page])
}

const columns = [wave, key, result, why, checks, lock]

const headOf = (report: RunReport, next: string, notes: readonly string[]): string =>
  joined([
    runTitle(report),
    notes.map((note) => `- ${plain(clip(note, 500))}`).join('\n'),
    next,
    failureText(report),
    warningsText(report),
  ])

const nextOf = (report: RunReport, apply: ApplyMode | undefined): string => {
  const { run } = report
  const later =
    run.mode === 'plan' && run.waves > 1 && run.status === 'planned'
      ? ' A plan of a later wave was made before the waves ahead of it are applied, so it may change with them.'
      : ''
  return `**Next:** ${nextStep(report, apply)}${later}`
}

const verdictsShown = 20

/** Checks that failed or warned, with their summaries. */
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

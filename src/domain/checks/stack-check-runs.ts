import { code, cutAtLine, fenced, fencedPlan, isWebAddress, link, plain } from '#domain/texts/markdown.ts'
import { lockHolder, reasonsOf, stackOutcome } from '#domain/texts/stack-outcome.ts'
import { addressList } from '#domain/texts/summary-addresses.ts'
import { limits } from '../limits.ts'
import { type ReportedCheck, type ReportedStack, type RunOfStacks, shortSha, stackUrl } from '../run-report.ts'
import { type CheckRunWanted, checkRunName, progressOf } from './check-run.ts'

/** The check runs of one stack: one for its plan or apply, and one for each named check with a verdict. */
export const stackCheckRuns = (run: RunOfStacks, stack: ReportedStack): CheckRunWanted[] => [
  stackCheckRun(run, stack),
  ...stack.checks.map((check) => verdictCheckRun(run, stack, check)),
]

/** The check run of a stack's plan or apply. */
export const stackCheckRun = (run: RunOfStacks, stack: ReportedStack): CheckRunWanted => {
  const outcome = stackOutcome(run.mode, stack, (key) => key)
  const text = outputText(stack, stackUrl(run, stack))
  return {
    name: checkRunName(run.mode, stack.key),
    headSha: run.sha,
    externalId: `${run.id}/${stack.stack_id}`,
    detailsUrl: stackUrl(run, stack),
    ...progressOf(stack.status),
    title: outcome.charAt(0).toUpperCase() + outcome.slice(1),
    summary: cutAtLine(stackFacts(run, stack).join('\n'), limits.outputChars, '… cut here.'),
    ...(text === '' ? {} : { text }),
  }
}

const stackFacts = (run: RunOfStacks, stack: ReportedStack): string[] => {
  const reasons = reasonsOf(stack, 10)
  const links = [link('CI job', stack.job_url), link('stack in this run', stackUrl(run, stack))]
  return [
    `- Stack ${code(stack.key)} at ${shortSha(run.sha)}, wave ${stack.wave + 1} of ${Math.max(run.waves, stack.wave + 1)}`,
    `- Result: ${stackOutcome(run.mode, stack, code)}`,
    ...(reasons === '' ? [] : [`- Why it is here: ${reasons}`]),
    ...(stack.environment === undefined ? [] : [`- Environment: ${code(stack.environment)}`]),
    ...(stack.locked_by === undefined
      ? []
      : [`- Locked by ${lockHolder(stack.locked_by)}: an apply has to wait for it`]),
    ...(stack.status in advice ? [`- ${advice[stack.status as keyof typeof advice]}`] : []),
    `- ${links.slice(stack.job_url === undefined ? 1 : 0).join(' · ')}`,
  ]
}

const advice = {
  unknown: 'Look at the job before anything else: the tool may still hold its state lock, and may have changed things.',
  unconfirmed: 'It was planned while the service could not be reached: re-run all jobs to have the service confirm it.',
  blocked: 'It runs once everything that it depends on has succeeded.',
} as const

const errorRoom = 8_000

/** The error, then the plan; only the addresses if the text is kept from the service (plan_output summary). */
const outputText = (stack: ReportedStack, url: string): string => {
  const parts: string[] = []
  const { error_text, plan_text, summary } = stack
  if (error_text !== undefined && error_text !== '') {
    parts.push(fenced(error_text, errorRoom, '… the rest of the error is in the log of the job.'))
  }
  if (plan_text !== undefined && plan_text !== '') {
    if (stack.truncated === true) parts.push(`The text was cut before it got here: ${link('what there is', url)}.`)
    const room = limits.outputChars - parts.reduce((sum, part) => sum + part.length + 2, 0) - url.length - 80
    const note = `… cut here. The whole text: ${url}`
    parts.push(fencedPlan(stack.plan_more ? `${plan_text.trimEnd()}\n${note}` : plan_text, room, note))
  } else if (summary !== undefined) {
    const addresses = addressList(summary)
    if (addresses !== '') parts.push(fencedPlan(addresses, limits.outputChars - errorRoom - 100, `… the rest: ${url}`))
  }
  return parts.join('\n\n')
}

const verdicts = { pass: 'success', warn: 'neutral', fail: 'failure' } as const

const titleOf = ({ status, summary, waived_by: by }: ReportedCheck): string => {
  const says = summary === undefined || summary === '' ? status : summary
  return by === undefined ? says : `Waived by ${by}: ${says}`
}

/** The check run of a named check's verdict. */
export const verdictCheckRun = (run: RunOfStacks, stack: ReportedStack, check: ReportedCheck): CheckRunWanted => {
  const text = check.details === undefined || check.details === '' ? undefined : check.details
  return {
    name: checkRunName(check.name, stack.key),
    headSha: run.sha,
    externalId: `${run.id}/${stack.stack_id}/${check.name}`,
    detailsUrl: isWebAddress(check.details_url) ? check.details_url : stackUrl(run, stack),
    status: 'completed',
    conclusion: check.waived_by === undefined ? verdicts[check.status] : 'neutral',
    title: titleOf(check),
    summary: `- Check ${code(check.name)} of stack ${code(stack.key)}: **${check.status}**${check.waived_by === undefined ? '' : `, waived by ${plain(check.waived_by)}`}`,
    ...(text === undefined ? {} : { text: fenced(text, limits.outputChars, '… cut here.') }),
  }
}

import type { Run } from '#api/runs/run.ts'
import type { RunStack } from '#api/runs/run-stack.ts'
import { isOpen } from '#domain/run-status.ts'
import { changeCounts, many } from '#domain/texts/change-counts.ts'
import { isMoving, type Observation, type SeenWorkflow } from './observe.ts'

/** What happened between two looks, a line each, in an order that makes sense. */
export const news = (before: Observation | undefined, now: Observation): string[] => [
  ...(before?.run || !now.run ? [] : [`${began[now.run.mode]}: ${now.run.html_url}`]),
  ...now.workflows.flatMap((workflow) => startNews(before, workflow)),
  ...runNews(before?.run, now.run),
  ...now.workflows.flatMap((workflow) => endNews(before, workflow)),
  ...resolveNews(before, now),
  ...commentNews(before, now),
]

const began = {
  plan: 'a run is registered',
  apply: 'the apply begins, and its locks are taken',
  drift: 'a drift check begins',
} as const

const nameOf = ({ wave }: SeenWorkflow): string => (wave === undefined ? "the workflow 'svc plan'" : `wave ${wave}`)

const knownBefore = (before: Observation | undefined, { id }: SeenWorkflow): SeenWorkflow | undefined =>
  before?.workflows.find((one) => one.id === id)

const startNews = (before: Observation | undefined, workflow: SeenWorkflow): string[] => {
  if (knownBefore(before, workflow)) return []
  const verb = workflow.wave === undefined ? 'starts' : "is dispatched to 'svc run'"
  return [`${nameOf(workflow)} ${verb}: ${workflow.url}`]
}

const endNews = (before: Observation | undefined, workflow: SeenWorkflow): string[] => {
  const { status, conclusion, wave } = workflow
  const isEnd = status === 'completed' && knownBefore(before, workflow)?.status !== 'completed'
  return isEnd ? [`${wave === undefined ? 'the workflow' : nameOf(workflow)} ended: ${conclusion}`] : []
}

const runNews = (before: Run | undefined, now: Run | undefined): string[] => {
  if (!now) return []
  return [
    ...((before?.stacks?.length ?? 0) === 0 ? wavesOf(now) : []),
    ...(now.stacks ?? []).flatMap((stack) => stackNews(before, stack)),
    ...(isMoving(now) || (before && before.status === now.status) ? [] : [`the run is ${now.status}`]),
    ...(now.warnings ?? []).slice(before?.warnings?.length ?? 0).map(({ message }) => `warning: ${message}`),
  ]
}

/** The check run of a failed resolution and the cycles it shows, with an arrow between the stacks. */
const resolveNews = (before: Observation | undefined, now: Observation): string[] => {
  const failed = (seen: Observation | undefined) =>
    seen?.checkRuns.find(({ name, conclusion }) => name === 'svc/resolve' && conclusion === 'failure')
  const check = failed(now)
  if (!check || failed(before)) return []
  const cycles = check.text.split('\n').filter((line) => line.includes(' → '))
  return [
    `svc/resolve failed: ${check.title}: ${check.url}`,
    ...cycles.map((line) => `  ${line.replaceAll('`', '').replace(/^- /, '')}`),
  ]
}

const wavesOf = (run: Run): string[] => {
  const stacks = run.stacks ?? []
  if (stacks.length === 0) return []
  const waves = Array.from({ length: run.waves }, (_, wave) => {
    const keys = stacks.filter((stack) => stack.wave === wave).map(({ key }) => key)
    return `  wave ${wave + 1}: ${keys.join(', ')}`
  })
  const what = run.mode === 'apply' ? 'to apply' : 'affected'
  return [`${many(stacks.length, 'stack')} ${what}, in ${many(run.waves, 'wave')}`, ...waves]
}

const stackNews = (before: Run | undefined, stack: RunStack): string[] => {
  const known = before?.stacks?.find(({ key }) => key === stack.key)
  return isOpen(stack.status) || known?.status === stack.status ? [] : [`  ${stack.key}: ${wordsOf(stack)}`]
}

const wordsOf = ({ status, summary, exit_code, job_url, blocked_by = [] }: RunStack): string => {
  switch (status) {
    case 'noop':
      return 'no changes'
    case 'planned':
    case 'applied':
      return summary ? `${status}, ${changeCounts(summary)}` : status
    case 'failed':
      return `failed${exit_code === undefined ? '' : ` with exit status ${exit_code}`}: ${job_url}`
    case 'blocked':
      return `blocked by ${blocked_by.join(', ')}`
    case 'unknown':
      return 'unknown: its job is gone, and how far it got is not known'
    default:
      return status
  }
}

/** The one comment is edited for each run, so the news is that it now shows this one. */
const commentNews = (before: Observation | undefined, now: Observation): string[] => {
  const telling = (seen: Observation | undefined) =>
    seen?.comments.find(({ body, kind }) => kind === 'overview' && seen.run && body.includes(seen.run.id))
  const comment = telling(now)
  return comment && !telling(before) ? [`the pull request's comment shows the run: ${comment.url}`] : []
}

import type { Run } from '#api/run.ts'
import type { RunStack } from '#api/run-stack.ts'
import { changeCounts, many } from '#domain/change-counts.ts'
import { isMoving, type Observation } from './observe.ts'

/** What happened between two looks, a line each, in the order in which it makes sense. */
export const news = (before: Observation | undefined, now: Observation): string[] => [
  ...workflowNews(before, now),
  ...runNews(before?.run, now.run),
  ...resolveNews(before, now),
  ...commentNews(before, now),
]

const workflowNews = (before: Observation | undefined, now: Observation): string[] => {
  const { workflow } = now
  if (!workflow) return []
  const started = before?.workflow ? [] : [`the workflow 'svc plan' starts: ${workflow.url}`]
  const isEnd = workflow.status === 'completed' && before?.workflow?.status !== 'completed'
  return isEnd ? [...started, `the workflow ended: ${workflow.conclusion}`] : started
}

const runNews = (before: Run | undefined, now: Run | undefined): string[] => {
  if (!now) return []
  return [
    ...(before ? [] : [`a run is registered: ${now.html_url}`]),
    ...((before?.stacks?.length ?? 0) === 0 ? wavesOf(now) : []),
    ...(now.stacks ?? []).flatMap((stack) => stackNews(before, stack)),
    ...(isMoving(now) || (before && before.status === now.status) ? [] : [`the run is ${now.status}`]),
    ...(now.warnings ?? []).slice(before?.warnings?.length ?? 0).map(({ message }) => `warning: ${message}`),
  ]
}

/** The check run of a resolution that failed, and the circles that it spells, an arrow between the stacks. */
const resolveNews = (before: Observation | undefined, now: Observation): string[] => {
  const failed = (seen: Observation | undefined) =>
    seen?.checkRuns.find(({ name, conclusion }) => name === 'svc/resolve' && conclusion === 'failure')
  const check = failed(now)
  if (!check || failed(before)) return []
  const circles = check.text.split('\n').filter((line) => line.includes(' → '))
  return [
    `svc/resolve failed: ${check.title}: ${check.url}`,
    ...circles.map((line) => `  ${line.replaceAll('`', '').replace(/^- /, '')}`),
  ]
}

const wavesOf = (run: Run): string[] => {
  const stacks = run.stacks ?? []
  if (stacks.length === 0) return []
  const waves = Array.from({ length: run.waves }, (_, wave) => {
    const keys = stacks.filter((stack) => stack.wave === wave).map(({ key }) => key)
    return `  wave ${wave + 1}: ${keys.join(', ')}`
  })
  return [`${many(stacks.length, 'stack')} affected, in ${many(run.waves, 'wave')}`, ...waves]
}

const stackNews = (before: Run | undefined, stack: RunStack): string[] => {
  const known = before?.stacks?.find(({ key }) => key === stack.key)
  if (stack.status === 'planning' || stack.status === 'pending' || known?.status === stack.status) return []
  return [`  ${stack.key}: ${wordsOf(stack)}`]
}

const wordsOf = ({ status, summary, exit_code, job_url }: RunStack): string => {
  if (status === 'noop') return 'no changes'
  if (status === 'planned') return summary ? `planned, ${changeCounts(summary)}` : 'planned'
  if (status === 'failed') return `failed${exit_code === undefined ? '' : ` with exit status ${exit_code}`}: ${job_url}`
  return status
}

/** The one comment is edited for each run, so what is new is that it tells of this one. */
const commentNews = (before: Observation | undefined, now: Observation): string[] => {
  const telling = (seen: Observation | undefined) =>
    seen?.comments.find(({ body }) => seen.run !== undefined && body.includes(seen.run.id))
  const comment = telling(now)
  return comment && !telling(before) ? [`the pull request's comment tells of it: ${comment.url}`] : []
}

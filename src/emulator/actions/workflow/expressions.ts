import { parseCondition, parseTemplate } from '../expressions/template.ts'
import { misplaced, type Place } from './availability.ts'
import type { Job, Step, Workflow } from './schema.ts'

/** A text of the file that may hold expressions: its path, and the contexts it may use. */
type Slot = { path: string; place: Place; value: unknown }

const under = (path: string, place: Place, values: Record<string, unknown> | undefined): Slot[] =>
  Object.entries(values ?? {}).map(([key, value]) => ({ path: `${path}.${key}`, place, value }))

const stepSlots = (path: string, step: Step): Slot[] => {
  const { if: condition, env, with: inputs, id: _id, uses: _uses, shell: _shell, ...texts } = step
  return [
    { path: `${path}.if`, place: 'step.if', value: condition },
    ...under(path, 'step', texts),
    ...under(`${path}.env`, 'step', env),
    ...under(`${path}.with`, 'step', inputs),
  ]
}

const jobSlots = (path: string, job: Job): Slot[] => [
  { path: `${path}.if`, place: 'job.if', value: job.if },
  { path: `${path}.name`, place: 'job.name', value: job.name },
  { path: `${path}.runs-on`, place: 'job.runs-on', value: job['runs-on'] },
  { path: `${path}.environment`, place: 'job.environment', value: job.environment?.name },
  { path: `${path}.environment.url`, place: 'job.environment.url', value: job.environment?.url },
  { path: `${path}.timeout-minutes`, place: 'job.timeout-minutes', value: job['timeout-minutes'] },
  ...under(`${path}.strategy`, 'job.strategy', job.strategy),
  ...under(`${path}.env`, 'job.env', job.env),
  ...under(`${path}.defaults.run`, 'job.defaults', job.defaults?.run),
  ...under(`${path}.outputs`, 'job.outputs', job.outputs),
  ...job.steps.flatMap((step, index) => stepSlots(`${path}.steps[${index}]`, step)),
]

const slots = (workflow: Workflow): Slot[] => [
  { path: 'run-name', place: 'run-name', value: workflow['run-name'] },
  ...under('concurrency', 'concurrency', workflow.concurrency),
  ...under('env', 'env', workflow.env),
  ...Object.entries(workflow.jobs).flatMap(([id, job]) => jobSlots(`jobs.${id}`, job)),
]

const problemsOf = ({ path, place, value }: Slot): string[] => {
  if (Array.isArray(value))
    return value.flatMap((item, at) => problemsOf({ path: `${path}[${at}]`, place, value: item }))
  if (typeof value === 'object' && value !== null) return under(path, place, { ...value }).flatMap(problemsOf)
  if (typeof value !== 'string' || value.trim() === '') return []
  const isCondition = place === 'job.if' || place === 'step.if'
  try {
    const parts = isCondition ? [parseCondition(value)] : parseTemplate(value)
    const problems = parts.flatMap((part) => (typeof part === 'string' ? [] : misplaced(part, place)))
    return problems.map((problem) => `${path}: ${problem}`)
  } catch (error) {
    return [`${path}: ${error instanceof Error ? error.message : String(error)}`]
  }
}

/** Everything wrong with the expressions of a file, found before any of it runs, as on GitHub. */
export const expressionProblems = (workflow: Workflow): string[] => slots(workflow).flatMap(problemsOf)

import { parseDocument } from 'yaml'
import type { z } from 'zod'
import { expressionProblems } from './expressions.ts'
import { type Job, type Workflow, workflowSchema } from './schema.ts'

/** A workflow file that cannot run: GitHub completes such a run as startup_failure. One problem a line. */
export class WorkflowError extends Error {
  readonly problems: readonly string[]

  constructor(path: string, problems: readonly string[]) {
    super(problems.map((problem) => `${path}: ${problem}`).join('\n'))
    this.name = 'WorkflowError'
    this.problems = problems
  }
}

const place = (path: readonly PropertyKey[]): string =>
  path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at === 0 ? '' : '.'}${String(key)}`)).join('')

const issueText = (issue: z.core.$ZodIssue): string => {
  const where = place(issue.path) || 'the file'
  return issue.code === 'unrecognized_keys'
    ? `${where}: ${issue.keys.map((key) => `'${key}'`).join(', ')} is not supported by this emulator`
    : `${where}: ${issue.message}`
}

const duplicates = (names: readonly string[]): string[] =>
  names.filter((name, at) => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) < at)

/** Needs that name no job, and jobs that wait for themselves in a cycle. */
const needsProblems = (jobs: Record<string, Job>): string[] => {
  const unknown = Object.entries(jobs).flatMap(([id, job]) =>
    job.needs.filter((need) => !Object.hasOwn(jobs, need)).map((need) => `jobs.${id}.needs: there is no job '${need}'`),
  )
  if (unknown.length > 0) return unknown
  const waiting = new Set(Object.keys(jobs))
  const isReady = (id: string) => jobs[id]?.needs.every((need) => !waiting.has(need))
  for (let ready = [...waiting].filter(isReady); ready.length > 0; ready = [...waiting].filter(isReady))
    for (const id of ready) waiting.delete(id)
  return waiting.size > 0 ? [`jobs: ${[...waiting].join(', ')} need each other in a cycle`] : []
}

const stepIdProblems = (jobs: Record<string, Job>): string[] =>
  Object.entries(jobs).flatMap(([id, job]) =>
    duplicates(job.steps.flatMap((step) => step.id ?? [])).map(
      (name) => `jobs.${id}.steps: two steps have the id '${name}'`,
    ),
  )

/** Parses and checks a workflow file: YAML, syntax, needs and expressions. Throws WorkflowError with every problem found. */
export const parseWorkflow = (text: string, path = 'workflow'): Workflow => {
  const document = parseDocument(text, { merge: true })
  if (document.errors.length > 0)
    throw new WorkflowError(
      path,
      document.errors.map((error) => error.message.split('\n')[0] ?? error.message),
    )
  const parsed = workflowSchema.safeParse(document.toJS())
  if (!parsed.success) throw new WorkflowError(path, parsed.error.issues.map(issueText))
  const workflow = parsed.data
  const problems = [...needsProblems(workflow.jobs), ...stepIdProblems(workflow.jobs), ...expressionProblems(workflow)]
  if (problems.length > 0) throw new WorkflowError(path, problems)
  return workflow
}

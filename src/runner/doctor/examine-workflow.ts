import { z } from 'zod'
import { readRunName, runName, runWorkflow } from '#domain/run-name.ts'
import { clientPlace, type planWorkflow } from '../workflows/shipped.ts'
import { type Job, readWorkflow, runs, type Workflow } from './workflow.ts'

const inputs = ['run_id', 'mode', 'wave', 'sha', 'stacks'] as const

const events = (on: unknown): Record<string, unknown> => {
  if (typeof on === 'string') return { [on]: null }
  if (Array.isArray(on)) return Object.fromEntries(on.map((name) => [String(name), null]))
  return on !== null && typeof on === 'object' ? (on as Record<string, unknown>) : {}
}

const mayHaveToken = (workflow: Workflow, job: Job): boolean => {
  const permissions = job.permissions ?? workflow.permissions
  return permissions === 'write-all' || (typeof permissions === 'object' && permissions?.['id-token'] === 'write')
}

/** Every job that calls svc needs a token. One that works on stacks also needs a step that reports whatever came before it. */
const jobProblems = (workflow: Workflow, working: string): string[] => {
  const jobs = Object.entries(workflow.jobs)
  const calling = jobs.filter(([, job]) => ['resolve', 'plan', 'run', 'report'].some((command) => runs(job, command)))
  const withoutToken = calling.filter(([, job]) => !mayHaveToken(workflow, job))
  const atWork = jobs.filter(([, job]) => runs(job, working))
  return [
    ...withoutToken.map(([name]) => `job ${name} needs permissions: id-token: write`),
    ...(atWork.length === 0 ? [`no job runs svc ${working}`] : []),
    ...atWork
      .filter(([, job]) => !runs(job, 'report'))
      .map(([name]) => `job ${name} needs a last step with if: always() that runs svc report`),
  ]
}

const inputNamed = (name: string): string => `\${{ inputs.${name} }}`

const wantedRunName = runName({
  mode: inputNamed('mode'),
  runId: inputNamed('run_id'),
  wave: inputNamed('wave'),
  sha: inputNamed('sha'),
})

/** The service finds the workflow runs it asked for by their names alone. */
const namesRuns = (template: string): boolean => {
  const given = { run_id: '8df09afa-bc3c-4191-be17-83c114311d67', mode: 'apply', wave: '2.1', sha: 'c0ffee' }
  const name = template.replaceAll(/\$\{\{\s*inputs\.(\w+)\s*\}\}/g, (_, input: string) =>
    String((given as Record<string, string>)[input] ?? ''),
  )
  return readRunName(name) !== undefined && name.trim() === runName({ ...given, runId: given.run_id })
}

const runProblems = (workflow: Workflow): string[] => {
  const dispatch = events(workflow.on).workflow_dispatch
  const Given = z.object({ inputs: z.record(z.string(), z.unknown()) })
  const given = Given.safeParse(dispatch)
  const missing = inputs.filter((input) => !(given.success && input in given.data.inputs))
  const environments = Object.entries(workflow.jobs).filter(([, job]) => runs(job, 'run'))
  const named = ({ environment }: Job) => (typeof environment === 'string' ? environment : environment?.name)
  return [
    ...(missing.length > 0 ? [`on.workflow_dispatch.inputs needs ${missing.join(', ')}`] : []),
    ...(namesRuns(workflow['run-name'] ?? '') ? [] : [`run-name must be ${wantedRunName}`]),
    ...jobProblems(workflow, 'run'),
    ...environments
      .filter(([, job]) => !/\$\{\{\s*matrix\.environment\s*\}\}/.test(named(job) ?? ''))
      .map(([name]) => `job ${name} needs environment: \${{ matrix.environment }}`),
  ]
}

const planProblems = (workflow: Workflow): string[] => [
  ...('pull_request' in events(workflow.on) ? [] : ['on.pull_request is missing']),
  ...(Object.values(workflow.jobs).some((job) => runs(job, 'resolve')) ? [] : ['no job runs svc resolve']),
  ...jobProblems(workflow, 'plan'),
]

/** What in a workflow's text keeps the service, or svc in its jobs, from working. A repository may have changed the rest. */
export const workflowProblems = (name: typeof planWorkflow | typeof runWorkflow, text: string): string[] => {
  const read = readWorkflow(text)
  if (!read.ok) return [read.problem]
  const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('#'))
  const isTold = lines.some((line) => /\bSVC_URL["']?\s*[:=]|--url\b/.test(line))
  return [
    ...(name === runWorkflow ? runProblems(read.workflow) : planProblems(read.workflow)),
    ...(text.includes(clientPlace)
      ? [`nothing puts svc on the PATH: put a step there instead of '${clientPlace}'`]
      : []),
    ...(isTold ? [] : [`nothing says where the service is: it needs env: SVC_URL: \${{ vars.SVC_URL }}`]),
  ]
}

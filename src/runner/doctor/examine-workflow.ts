import { z } from 'zod'
import { readYaml } from '#domain/config/yaml-text.ts'
import { readRunName, runName, runWorkflow } from '#domain/run-name.ts'
import { clientPlace, type planWorkflow } from '../workflows/shipped.ts'

const Permissions = z.union([z.string(), z.record(z.string(), z.string())]).nullish()

const Step = z.object({ run: z.string().optional(), uses: z.string().optional() })

const Job = z.object({
  permissions: Permissions,
  environment: z.union([z.string(), z.object({ name: z.string() })]).nullish(),
  steps: z.array(Step).default([]),
})

const Workflow = z.object({
  'run-name': z.string().optional(),
  on: z.unknown().optional(),
  permissions: Permissions,
  jobs: z.record(z.string(), Job),
})

type Workflow = z.output<typeof Workflow>
type Job = z.output<typeof Job>

const inputs = ['run_id', 'mode', 'wave', 'sha', 'stacks'] as const

const events = (on: unknown): Record<string, unknown> => {
  if (typeof on === 'string') return { [on]: null }
  if (Array.isArray(on)) return Object.fromEntries(on.map((name) => [String(name), null]))
  return on !== null && typeof on === 'object' ? (on as Record<string, unknown>) : {}
}

const runs = ({ steps }: Job, command: string): boolean =>
  steps.some(({ run = '' }) => [...run.matchAll(/\bsvc\s+(\w+)/g)].some(([, called]) => called === command))

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
  const yaml = readYaml(text)
  if (!yaml.ok) {
    const [{ message = '', line = 1, column = 1 } = {}] = yaml.problems
    return [`is not YAML: ${message} at line ${line}, column ${column}`]
  }
  const parsed = Workflow.safeParse(yaml.read.value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return [`is not a workflow: ${issue?.path.join('.')}: ${issue?.message}`]
  }
  return [
    ...(name === runWorkflow ? runProblems(parsed.data) : planProblems(parsed.data)),
    ...(text.includes(clientPlace)
      ? [`nothing puts svc on the PATH: put a step there instead of '${clientPlace}'`]
      : []),
  ]
}

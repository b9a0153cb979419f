import { runWorkflow } from '#domain/run-name.ts'
import { type Job, readWorkflow, runs, type Workflow } from './workflow.ts'

const uses = ({ steps }: Job, action: string): boolean =>
  steps.some(({ uses: used = '' }) => used.startsWith(`${action}@`))

/** Of permissions that are listed, those left out are none; without a list, the repository's settings decide. */
const lacks = (workflow: Workflow, job: Job, scope: string): boolean => {
  const permissions = job.permissions ?? workflow.permissions
  return (
    typeof permissions === 'object' && permissions !== null && !['read', 'write'].includes(permissions[scope] ?? '')
  )
}

const isShallow = ({ steps }: Job): boolean =>
  steps.some(({ uses: used = '', with: given }) => {
    const depth = given?.['fetch-depth']
    return used.startsWith('actions/checkout@') && String(depth ?? '1') !== '0'
  })

const callsSvc = (job: Job): boolean => ['resolve', 'plan', 'run', 'report'].some((command) => runs(job, command))

const jobWarnings = (workflow: Workflow, name: string, job: Job): string[] => [
  ...(uses(job, 'actions/checkout') && lacks(workflow, job, 'contents')
    ? [`job ${name} cannot check out a private repository without permissions: contents: read`]
    : []),
  ...(uses(job, 'actions/download-artifact') && lacks(workflow, job, 'actions')
    ? [`job ${name} cannot download saved plans without permissions: actions: read, so each apply plans again`]
    : []),
  ...(runs(job, 'resolve') && isShallow(job)
    ? [`job ${name} resolves in a checkout without fetch-depth: 0, where git may not know what the base has`]
    : []),
]

/** The versions of svc's own action that a workflow takes: `v1` of `acme/svc@v1`. */
export const clientPins = (text: string): string[] => {
  const read = readWorkflow(text)
  if (!read.ok) return []
  const used = Object.values(read.workflow.jobs).flatMap(({ steps }) => steps.map((step) => step.uses ?? ''))
  const pins = used.flatMap((one) => /^[^/@\s]+\/svc(?:\/[^@\s]*)?@(\S+)$/.exec(one)?.[1] ?? [])
  return [...new Set(pins)]
}

const majorOf = (version: string): string | undefined => /^v?(\d+)(?:\.|$)/.exec(version)?.[1]

/** What a workflow works with, but not as well as it could; nothing for one that cannot be read. */
export const workflowWarnings = (name: string, text: string, version: string): string[] => {
  const read = readWorkflow(text)
  if (!read.ok) return []
  const { workflow } = read
  const pins = clientPins(text)
  const own = majorOf(version)
  // Versions before the first may go together with anything.
  const others = pins.filter((pin) => own !== '0' && majorOf(pin) !== undefined && majorOf(pin) !== own)
  return [
    ...Object.entries(workflow.jobs)
      .filter(([, job]) => callsSvc(job))
      .flatMap(([job, its]) => jobWarnings(workflow, job, its)),
    ...(pins.length > 1 ? [`it takes svc in several versions: ${pins.join(', ')}`] : []),
    ...(others.length > 0 ? [`it takes svc ${others.join(', ')}, and this is ${version}`] : []),
    ...(name === runWorkflow && workflow.concurrency !== undefined
      ? ['its concurrency group keeps one waiting run, so a third wave would be dropped']
      : []),
  ]
}

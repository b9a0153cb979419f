import { z } from 'zod'
import { readYaml } from '#domain/config/yaml-text.ts'

const Permissions = z.union([z.string(), z.record(z.string(), z.string())]).nullish()

const Step = z.object({
  run: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.unknown()).nullish(),
})

const Job = z.object({
  permissions: Permissions,
  environment: z.union([z.string(), z.object({ name: z.string() })]).nullish(),
  steps: z.array(Step).default([]),
})

const Workflow = z.object({
  'run-name': z.string().optional(),
  on: z.unknown().optional(),
  permissions: Permissions,
  concurrency: z.unknown().optional(),
  jobs: z.record(z.string(), Job),
})

/** What svc looks at of a workflow of GitHub Actions. */
export type Workflow = z.output<typeof Workflow>
export type Job = z.output<typeof Job>

/** Whether a job runs a command of svc. */
export const runs = ({ steps }: Job, command: string): boolean =>
  steps.some(({ run = '' }) => [...run.matchAll(/\bsvc\s+(\w+)/g)].some(([, called]) => called === command))

/** A workflow's text, read; or why it is none. */
export const readWorkflow = (text: string): { ok: true; workflow: Workflow } | { ok: false; problem: string } => {
  const yaml = readYaml(text)
  if (!yaml.ok) {
    const [{ message = '', line = 1, column = 1 } = {}] = yaml.problems
    return { ok: false, problem: `is not YAML: ${message} at line ${line}, column ${column}` }
  }
  const parsed = Workflow.safeParse(yaml.read.value)
  if (parsed.success) return { ok: true, workflow: parsed.data }
  const [issue] = parsed.error.issues
  return { ok: false, problem: `is not a workflow: ${issue?.path.join('.')}: ${issue?.message}` }
}

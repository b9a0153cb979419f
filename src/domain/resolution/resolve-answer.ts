import { z } from 'zod'
import { PlanOutput, Tool } from '#domain/graph/graph.ts'
import { reasons } from './reasons.ts'

const forItsJob = {
  wave: z.int().nonnegative(),
  environment: z.string().optional(),
  tool: Tool.optional(),
  tool_version: z.string().optional(),
  plan_output: PlanOutput.optional(),
  instance: z.string().optional(),
  workspace: z.string().optional(),
}

const Affected = z.object({
  key: z.string(),
  path: z.string(),
  ...forItsJob,
  reasons: z.array(z.enum(reasons)),
  via: z.array(z.string()).optional(),
  locked_by: z.object({ run_id: z.string(), pr_number: z.number().optional() }).optional(),
})

const Warning = z.object({
  code: z.string(),
  message: z.string(),
  keys: z.array(z.string()).optional(),
  stacks: z.array(z.string()).optional(),
})

const External = z.object({
  key: z.string(),
  repo: z.string(),
  relation: z.enum(['dependency', 'dependent']),
  type: z.enum(['depends_on', 'reads_state']),
  stacks: z.array(z.string()),
})

/**
 * The answer to a job's upload (docs/interface.md, 'ResolveResponse'). Kept with the run: a job that did not get the answer
 * sends the upload again, and gets the same answer.
 */
export const ResolveAnswer = z.object({
  run_id: z.string(),
  affected: z.array(Affected),
  waves: z.array(z.array(z.string())),
  matrix: z.object({
    include: z.array(z.object({ stack: z.string(), key: z.string(), ...forItsJob, sha: z.string() })),
  }),
  cached: z.boolean(),
  warnings: z.array(Warning).optional(),
  cycles: z.array(z.string()).optional(),
  external: z.array(External).optional(),
})
export type ResolveAnswer = z.infer<typeof ResolveAnswer>

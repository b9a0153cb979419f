import { z } from 'zod'
import { Count, PlanOutput, Tool, Uuid } from '../scalars.ts'
import { Reason } from './run-stack.ts'
import { Warning } from './warning.ts'

const stackFields = {
  wave: Count,
  environment: z.string().optional(),
  tool: Tool.optional(),
  tool_version: z.string().optional(),
  plan_output: PlanOutput.optional(),
  instance: z.string().optional(),
  workspace: z.string().optional(),
  runs_on: z.array(z.string()).optional().describe('Labels of the runners that its job asks for'),
}

export const AffectedStack = z
  .object({
    key: z.string(),
    path: z.string(),
    ...stackFields,
    reasons: z.array(Reason).optional(),
    via: z.array(z.string()).optional().describe('Keys that caused it'),
    locked_by: z
      .looseObject({ run_id: Uuid.optional(), pr_number: z.int().optional() })
      .optional()
      .describe('When another pull request holds a lock'),
  })
  .meta({ id: 'AffectedStack', description: 'A stack that the change affects, and why' })

const MatrixEntry = z
  .object({ stack: z.string(), key: z.string(), ...stackFields, sha: z.string() })
  .meta({ id: 'MatrixEntry', description: 'One job: the plan of one stack' })

const ExternalStack = z
  .object({
    key: z.string().describe('owner/repo//key'),
    repo: z.string(),
    relation: z
      .enum(['dependency', 'dependent'])
      .describe('Whether stacks of this run depend on it, or it depends on them'),
    type: z.enum(['depends_on', 'reads_state']),
    stacks: z.array(z.string()).describe('Keys of the stacks of this run'),
  })
  .meta({ id: 'ExternalStack', description: 'A stack of another repository with an ordering edge to one of these' })

/** What a graph resolves to. */
export const ResolveResponse = z
  .object({
    run_id: Uuid.optional(),
    affected: z.array(AffectedStack).optional().describe('Absent if no stack is'),
    waves: z.array(z.array(z.string())).optional().describe('Stack keys by wave'),
    matrix: z
      .object({ include: z.array(MatrixEntry) })
      .optional()
      .describe('Job matrix; absent without jobs'),
    cached: z.boolean().describe('A graph with this tree_hash was stored before'),
    warnings: z.array(Warning).optional(),
    cycles: z.array(z.string()).optional().describe('Each dependency cycle, spelled; the run then fails'),
    external: z.array(ExternalStack).optional(),
    unconfirmed: z.boolean().optional().describe('Only when produced locally by the client'),
  })
  .meta({ id: 'ResolveResponse', description: 'Affected stacks in waves' })

export type ResolveResponse = z.infer<typeof ResolveResponse>

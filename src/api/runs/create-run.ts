import { z } from 'zod'
import { limits } from '#domain/limits.ts'
import { list } from '#domain/list.ts'
import { optional } from '../optional.ts'
import { Mode, PositiveInteger, RepoName, Sha, StackKey, Trigger, Uuid } from '../scalars.ts'
import { Run, RunStatus } from './run.ts'

/** Which fields are required depends on the credential (docs/interface.md, 'POST /v1/runs'): the command checks it. */
export const CreateRunRequest = z
  .object({
    repo: optional(RepoName),
    sha: optional(Sha).describe('Head of the pull request; commit of a manual run'),
    base_sha: optional(Sha),
    pr_number: optional(PositiveInteger),
    mode: optional(Mode),
    trigger: optional(Trigger),
    run_id: optional(Uuid).describe('Required from a dispatched job'),
    workflow_run_id: optional(PositiveInteger),
    workflow_run_attempt: optional(PositiveInteger),
    stacks: optional(list(StackKey, limits.stacksNamed)).describe('Stacks of a manual run'),
    runner_timeout_hours: optional(z.number().min(0.1).max(720)).describe(
      'A manual run that reports nothing for so long has lost its caller: its stacks under way are unknown then; 24 by default',
    ),
  })
  .meta({ id: 'CreateRunRequest', description: 'The run that a job belongs to, or a manual run to start' })

export const CreateRunResponse = z
  .object({ run_id: Uuid, status: RunStatus, existing: z.boolean(), run: Run })
  .meta({ id: 'CreateRunResponse', description: 'The run found or created' })

export type CreateRunRequest = z.infer<typeof CreateRunRequest>
export type CreateRunResponse = z.infer<typeof CreateRunResponse>

import { z } from 'zod'
import { Count, Timestamp } from '../scalars.ts'

/** A repository with the counts about it. */
export const RepoSummary = z
  .object({
    id: z.int().describe('Of the code host'),
    full_name: z.string().describe('owner/name'),
    default_branch: z.string(),
    stacks: Count.describe('Stacks of the default branch'),
    drifted: Count.describe('How many of those had drifted when they were last checked'),
    locks_held: Count,
    last_run_at: Timestamp.optional(),
  })
  .meta({ id: 'RepoSummary', description: 'A repository that has the app' })

export type RepoSummary = z.infer<typeof RepoSummary>

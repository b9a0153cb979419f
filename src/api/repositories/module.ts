import { z } from 'zod'
import { Count, Timestamp, Uuid } from '../scalars.ts'

const ModuleVersion = z
  .object({
    version: z.string().describe('The tag, as a source pins it'),
    sha: z.string().describe('The commit that it names'),
    tagged_at: Timestamp.optional().describe(
      'Date of an annotated tag; otherwise of its release, or else of its commit',
    ),
  })
  .meta({ id: 'ModuleVersion', description: 'A released version of a module' })

const behind = Count.optional().describe(
  'Released versions that are newer; absent if the ref is not a version (a branch, a commit, a range), or if none is known',
)

const ModuleConsumer = z
  .object({
    stack_id: Uuid,
    repo: z.string().describe('owner/name'),
    stack_key: z.string(),
    ref: z.string().optional().describe('What the stack asks for; absent for what is there'),
    behind,
  })
  .meta({ id: 'ModuleConsumer', description: 'A stack that uses a module, directly or through another one' })

const ModuleCounts = z
  .object({
    stacks: Count,
    repositories: Count,
    behind: Count.describe('Stacks that are behind'),
    most_behind: Count.describe('Released versions that are newer than what the stack furthest behind asks for'),
  })
  .meta({ id: 'ModuleCounts', description: 'How many stacks use a module, of those that the caller sees' })

export const ModuleDetail = z
  .object({
    id: Uuid,
    key: z.string().describe('Family key: `owner/repo//path`, without a ref'),
    kind: z.enum(['local', 'git', 'registry']),
    source: z.string().optional(),
    latest: z.string().optional().describe('Newest stable version, or the newest pre-release if none is stable'),
    versions: z.array(ModuleVersion).optional().describe('Newest first; only in the answer of a single module'),
    consumers: z.array(ModuleConsumer).optional().describe('Those that the caller sees'),
    counts: ModuleCounts.optional().describe('In the place of the consumers, with `consumers=none`'),
  })
  .meta({ id: 'ModuleDetail', description: 'A module with its released versions and the stacks that use it' })

/** An element of a stack's `modules`. */
export const UsedModule = z
  .object({ module_key: z.string(), ref: z.string().optional(), latest: z.string().optional(), behind })
  .meta({ id: 'UsedModule', description: 'A module that a stack uses' })

export type ModuleDetail = z.infer<typeof ModuleDetail>

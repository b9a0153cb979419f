import { z } from 'zod'
import { Version } from '#domain/config/config-values.ts'
import { Backend, Tool } from '#domain/graph/graph.ts'
import { isInstanceName, repositoryPath } from '#domain/keys.ts'
import { limits } from '#domain/limits.ts'
import type { ScanWarning } from './warning.ts'

/*
 * What a command of the repository lists besides what the scan finds (`discover.command`), in version 1 of its format. Unknown
 * keys are refused: a key that was misspelt would change nothing, and nobody would notice.
 */

const says = (description: string): { description: string } => ({ description })

const Path = z
  .string()
  .refine((path) => repositoryPath(path) !== undefined, "expected a path from the repository's root, without '..'")
  .transform((path) => repositoryPath(path) ?? path)

const Key = z.string().min(1)

const ListedStack = z.strictObject({
  path: Path.meta(says("The stack's directory, from the repository's root.")),
  instance: z
    .string()
    .refine(isInstanceName, 'expected a letter or digit, then letters, digits, ., _ and -, and not default')
    .optional()
    .meta(says('The name of an instance of the directory, which then is `path:instance`.')),
  workspace: z.string().min(1).optional().meta(says('The workspace to select, unless svc.yml names one.')),
  tool: Tool.optional().meta(says('The tool, in place of the one that the scan finds.')),
  tool_version: Version.optional().meta(says('Its version, unless svc.yml names one.')),
  watch_paths: z
    .array(z.string().min(1))
    .default([])
    .meta(says('Globs of files whose change affects the stack, besides those that the scan finds.')),
  depends_on: z.array(Key).default([]).meta(says('Stacks that come first: keys, directories, or `owner/repo//key`.')),
  backend: Backend.optional().meta(says('Where its state is kept, in place of what the scan finds.')),
})

const ListedEdge = z.strictObject({
  from: Key.meta(says('The stack that depends: a key or a directory.')),
  to: Key.meta(says('What it depends on: a key, a directory, or `owner/repo//key`.')),
  type: z
    .enum(['depends_on', 'reads_state'])
    .default('depends_on')
    .meta(says('`reads_state` if it reads the state of the other.')),
})

/** The most that one command lists: as many as a repository may have instances. */
const MOST = 20_000

export const Listing = z.strictObject({
  version: z.literal(1).meta(says('The version of this format.')),
  stacks: z.array(ListedStack).max(MOST).default([]).meta(says('Stacks, found by the scan or not.')),
  edges: z.array(ListedEdge).max(limits.graphBodyBytes).default([]).meta(says('Dependencies between any stacks.')),
})

export type Listing = z.infer<typeof Listing>
export type ListedStack = z.infer<typeof ListedStack>

/** What a scan is given of `discover.command`: its listing, or why it was not run. */
export type GivenListing = { listing?: Listing; warnings: ScanWarning[] }

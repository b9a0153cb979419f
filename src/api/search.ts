import { z } from 'zod'
import { RunStatus } from './runs/run.ts'
import { Mode, Sha, Timestamp } from './scalars.ts'

const FoundStack = z.object({ id: z.string(), repo: z.string(), key: z.string() })

const FoundRun = z.object({
  id: z.string(),
  repo: z.string(),
  sha: Sha,
  mode: Mode,
  status: RunStatus,
  pr_number: z.int().optional(),
  created_at: Timestamp,
  html_url: z.string(),
})

const FoundPull = z.object({
  repo: z.string(),
  number: z.int(),
  title: z.string().optional(),
  state: z.enum(['open', 'closed']),
})

const FoundModule = z.object({ id: z.string(), key: z.string(), latest: z.string().optional() })

/** What a text was found in: up to eight of each, the nearest first. */
export const SearchResult = z
  .object({
    stacks: z.array(FoundStack).optional().describe('By key'),
    runs: z.array(FoundRun).optional().describe('By the first four digits or more of the id or the commit'),
    pull_requests: z.array(FoundPull).optional().describe('By number and, while open, by title'),
    modules: z.array(FoundModule).optional().describe('By key'),
    repositories: z.array(z.string()).optional().describe('By owner/name'),
  })
  .meta({
    id: 'SearchResult',
    description: 'Up to eight of each kind, the nearest first; kinds without any are left out',
  })

export type SearchResult = z.infer<typeof SearchResult>

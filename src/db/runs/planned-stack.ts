import { z } from 'zod'

/** What scheduling a stack again needs from its row of a plan run: the columns, and their shape. */
export const PlannedStack = z.object({
  key: z.string(),
  path: z.string(),
  instance: z.string().nullable(),
  workspace: z.string().nullable(),
  environment: z.string().nullable(),
  runs_on: z.array(z.string()).nullable(),
  tool: z.string().nullable(),
  tool_version: z.string().nullable(),
  plan_output: z.enum(['full', 'summary']),
  wave: z.number(),
  reasons: z.array(z.string()),
  via: z.array(z.string()),
})

export type PlannedStack = z.infer<typeof PlannedStack>

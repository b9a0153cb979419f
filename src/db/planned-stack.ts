import { z } from 'zod'

/** What a row of a plan run says that scheduling the stack again needs: the columns, and their shape. */
export const PlannedStack = z.object({
  key: z.string(),
  path: z.string(),
  instance: z.string().nullable(),
  workspace: z.string().nullable(),
  tool: z.string().nullable(),
  tool_version: z.string().nullable(),
  plan_output: z.enum(['full', 'summary']),
  wave: z.number(),
  reasons: z.array(z.string()),
  via: z.array(z.string()),
})

export type PlannedStack = z.infer<typeof PlannedStack>

import { z } from 'zod'

const conclusions = ['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'timed_out'] as const

const limited = (max: number) =>
  z.string().refine((text) => text.length <= max, {
    error: ({ input }) => `Only ${max} characters are allowed; ${String(input).length} were supplied.`,
  })

const annotation = z.object({
  path: z.string(),
  start_line: z.int(),
  end_line: z.int(),
  annotation_level: z.enum(['notice', 'warning', 'failure']),
  message: limited(65_536),
  title: limited(255).optional(),
  raw_details: limited(65_536).optional(),
})

const output = z.object({
  title: z.string(),
  summary: limited(65_535),
  text: limited(65_535).optional(),
  annotations: z.array(annotation).max(50).optional(),
})

const action = z.object({ label: limited(20), description: limited(40), identifier: limited(20) })

const shared = {
  details_url: z.url({ protocol: /^https?$/ }).optional(),
  external_id: z.string().optional(),
  status: z.enum(['queued', 'in_progress', 'completed']).optional(),
  started_at: z.iso.datetime({ offset: true }).optional(),
  completed_at: z.iso.datetime({ offset: true }).optional(),
  conclusion: z.enum(conclusions).optional(),
  output: output.optional(),
  actions: z.array(action).max(3).optional(),
}

/** Bodies of the two check run writes, with the limits of GitHub's OpenAPI document. */
export const createCheckSchema = z.object({ ...shared, name: z.string().min(1), head_sha: z.string() })

export const updateCheckSchema = z.object({
  ...shared,
  name: z.string().min(1).optional(),
  // An update may leave the title out: the old one stays.
  output: output.partial({ title: true }).optional(),
})

export type CheckChange = z.infer<typeof updateCheckSchema>

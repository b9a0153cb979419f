import { z } from 'zod'

const Change = z.object({ actions: z.array(z.string()), importing: z.unknown().optional() })

const Plan = z.object({
  resource_changes: z
    .array(z.object({ mode: z.string().optional(), previous_address: z.string().optional(), change: Change }))
    .default([]),
  output_changes: z.record(z.string(), Change).default({}),
})

const isNothing = ({ actions, importing }: z.infer<typeof Change>): boolean =>
  actions.join() === 'no-op' && (importing === undefined || importing === null)

/**
 * Whether all that a plan would do is to read data sources, for which the tool's exit status is 2 as well: nothing that stands
 * differs from what is written down. Terraform plans so for each data source in a `check` block, every time. `resource_drift`
 * does not count: what somebody changed outside and no change follows from, the configuration does not mind. An output that
 * would change does, whatever makes it: others read it from the state.
 */
export const onlyReads = (showJson: unknown): boolean => {
  const plan = Plan.safeParse(showJson)
  if (!plan.success) return false
  const { resource_changes: resources, output_changes: outputs } = plan.data
  const isHarmless = ({ mode, previous_address: before, change }: (typeof resources)[number]): boolean =>
    before === undefined && (isNothing(change) || (mode === 'data' && change.actions.join() === 'read'))
  return resources.length > 0 && resources.every(isHarmless) && Object.values(outputs).every(isNothing)
}

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
 * Whether a plan would only read data sources. The tool's exit status is 2 then as well, though nothing that exists differs from
 * the configuration. Terraform plans this for each data source in a `check` block, every time. `resource_drift` does not count:
 * the configuration does not mind an outside change that leads to no planned change. An output that would change does count,
 * whatever causes it: others read it from the state.
 */
export const onlyReads = (showJson: unknown): boolean => {
  const plan = Plan.safeParse(showJson)
  if (!plan.success) return false
  const { resource_changes: resources, output_changes: outputs } = plan.data
  const isHarmless = ({ mode, previous_address: before, change }: (typeof resources)[number]): boolean =>
    before === undefined && (isNothing(change) || (mode === 'data' && change.actions.join() === 'read'))
  return resources.length > 0 && resources.every(isHarmless) && Object.values(outputs).every(isNothing)
}

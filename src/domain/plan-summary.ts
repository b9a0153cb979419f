import { z } from 'zod'

const Count = z.int().nonnegative()
const Addresses = z.array(z.string())

/** What a plan would change, or an apply changed (docs/interface.md, 'Summary'): counts are exact, lists may be cut. */
export const Summary = z.object({
  adds: Count,
  changes: Count,
  destroys: Count,
  replaces: Count,
  imports: Count.optional(),
  moves: Count.optional(),
  output_changes: Count.optional(),
  added: Addresses.optional(),
  changed: Addresses.optional(),
  destroyed: Addresses.optional(),
  replaced: Addresses.optional(),
})
export type Summary = z.infer<typeof Summary>

export type Summarised = { ok: true; summary: Summary } | { ok: false; problem: string }

/** Addresses kept in each list: a body may have 1 MB, and nobody reads more. */
const MAX_ADDRESSES = 500

const Change = z.object({ actions: z.array(z.string()), importing: z.unknown().optional() })

/**
 * Of `show -json PLAN` only what is counted is read. The rest holds values in clear text, sensitive ones too, and must not get
 * any further. An output's change is directly under its name, one level less than the format's documentation says.
 */
const ShownPlan = z.object({
  format_version: z.string(),
  resource_changes: z
    .array(
      z.object({
        address: z.string(),
        previous_address: z.string().optional(),
        mode: z.string().optional(),
        deposed: z.string().optional(),
        change: Change,
      }),
    )
    .optional(),
  output_changes: z.record(z.string(), Change).optional(),
})

const kinds = ['added', 'changed', 'destroyed', 'replaced'] as const
type Kind = (typeof kinds)[number]

/** A replacement is one change, not an addition and a destruction as in the tool's own closing line. */
const kindOf = (actions: readonly string[]): Kind | undefined => {
  const has = (action: string): boolean => actions.includes(action)
  if (has('create')) return has('delete') || has('forget') ? 'replaced' : 'added'
  if (has('update')) return 'changed'
  return has('delete') ? 'destroyed' : undefined
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null

/**
 * Summarises the JSON of a saved plan (`terraform show -json`, `tofu show -json`, format 1). Only managed resources count;
 * reading data and forgetting change nothing. The exit code decides whether there are changes at all: a plan that only changes
 * outputs or moves resources counts nothing here.
 */
export const summarise = (showJson: unknown): Summarised => {
  const version = z.object({ format_version: z.string() }).safeParse(showJson)
  if (!version.success) return { ok: false, problem: 'format_version is missing: expected the output of show -json' }
  const { format_version: format } = version.data
  if (!/^1(\.|$)/.test(format)) return { ok: false, problem: `format_version is ${format}: only format 1 is known` }
  const plan = ShownPlan.safeParse(showJson)
  if (!plan.success) {
    const issue = plan.error.issues[0]
    return { ok: false, problem: `${issue?.path.join('.')}: ${issue?.message}` }
  }
  const lists: Record<Kind, string[]> = { added: [], changed: [], destroyed: [], replaced: [] }
  const managed = (plan.data.resource_changes ?? []).filter(({ mode }) => mode === undefined || mode === 'managed')
  for (const { address, deposed, change } of managed) {
    const kind = kindOf(change.actions)
    if (kind !== undefined) lists[kind].push(deposed === undefined ? address : `${address} (deposed ${deposed})`)
  }
  const imports = managed.filter(({ change }) => isSet(change.importing)).length
  const moves = managed.filter(({ previous_address: before }) => before !== undefined).length
  const outputs = Object.values(plan.data.output_changes ?? {}).filter(
    ({ actions }) => actions.join() !== 'no-op',
  ).length
  const { added, changed, destroyed, replaced } = lists
  const summary: Summary = {
    adds: added.length,
    changes: changed.length,
    destroys: destroyed.length,
    replaces: replaced.length,
    ...(imports > 0 ? { imports } : {}),
    ...(moves > 0 ? { moves } : {}),
    ...(outputs > 0 ? { output_changes: outputs } : {}),
  }
  for (const kind of kinds) if (lists[kind].length > 0) summary[kind] = lists[kind].slice(0, MAX_ADDRESSES)
  return { ok: true, summary }
}

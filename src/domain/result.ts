import { z } from 'zod'
import { Backend, Tool } from './graph/graph.ts'
import { Summary } from './plan-summary.ts'
import { runModes } from './run-status.ts'

/**
 * What a job reports about one stack of a run (docs/interface.md, 'POST /v1/runs/{id}/stacks/{key}/result'). How requests spell
 * it is the API's concern (src/api/runs/stack-result.ts).
 */
export const StackResult = z.object({
  mode: z.enum(runModes),
  status: z.enum(['success', 'failure', 'error']),
  exit_code: z.int().optional(),
  has_changes: z.boolean().optional(),
  summary: Summary.optional(),
  plan_text: z.string().optional(),
  plan_artifact: z.string().optional(),
  job_url: z.string().optional(),
  tool: Tool.optional(),
  tool_version: z.string().optional(),
  duration_ms: z.int().nonnegative().optional(),
  backend: Backend.optional(),
  truncated: z.boolean().optional(),
  error_text: z.string().optional(),
  unconfirmed: z.boolean().optional(),
})
export type StackResult = z.infer<typeof StackResult>

/**
 * A result as the service keeps it: the plan text is stored beside it, and `workflow_run_id` is the service's own note of the
 * workflow run whose artifact a saved plan is.
 */
export const KeptResult = StackResult.omit({ plan_text: true }).extend({ workflow_run_id: z.int().optional() })
export type KeptResult = z.infer<typeof KeptResult>

export type Outcome = 'changes' | 'none' | 'failed' | 'unconfirmed'

const counted = ({ summary: s }: StackResult): number =>
  s === undefined
    ? 0
    : s.adds + s.changes + s.destroys + s.replaces + (s.imports ?? 0) + (s.moves ?? 0) + (s.output_changes ?? 0)

/** Any sign of changes counts, since exit code 2 also covers plans whose counts are all zero (outputs, moves). */
const showsChanges = (result: StackResult): boolean =>
  result.has_changes === true || result.exit_code === 2 || counted(result) > 0

/** Successful exit codes: 2 is a plan with changes, but no success for an apply. */
const isGoodExit = (mode: StackResult['mode'], code: number | undefined): boolean =>
  code === undefined || code === 0 || (code === 2 && mode !== 'apply')

/**
 * What a result means for the stack. A success that its own exit code contradicts is a failure. An apply changed something
 * unless it says that it changed nothing.
 */
export const outcomeOf = (mode: StackResult['mode'], result: StackResult): Outcome => {
  if (result.unconfirmed === true) return 'unconfirmed'
  if (result.status !== 'success' || !isGoodExit(mode, result.exit_code)) return 'failed'
  if (showsChanges(result)) return 'changes'
  return mode === 'apply' && result.has_changes !== false ? 'changes' : 'none'
}

const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = value as Readonly<Record<string, unknown>>
  const ordered: Record<string, unknown> = {}
  // a loop, since each result passes: half of the time of entries, sort and fromEntries. Lists are of texts
  for (const name of Object.keys(fields).sort()) ordered[name] = sorted(fields[name])
  return ordered
}

/** A result as text, equal for equal results whatever the order of their keys. Its digest is computed from this text. */
export const canonicalResult = (result: StackResult): string => JSON.stringify(sorted(result))

import type { Backend } from './graph.ts'
import type { Summary } from './plan-summary.ts'

/** What a job reports of one stack of a run (spec, 'POST /v1/runs/{id}/stacks/{key}/result'). */
export type StackResult = {
  mode: 'plan' | 'apply' | 'drift'
  status: 'success' | 'failure' | 'error'
  exit_code?: number | undefined
  has_changes?: boolean | undefined
  summary?: Summary | undefined
  plan_text?: string | undefined
  plan_artifact?: string | undefined
  job_url?: string | undefined
  tool?: 'terraform' | 'tofu' | undefined
  tool_version?: string | undefined
  duration_ms?: number | undefined
  backend?: Backend | undefined
  truncated?: boolean | undefined
  error_text?: string | undefined
  unconfirmed?: boolean | undefined
}

export type Outcome = 'changes' | 'none' | 'failed' | 'unconfirmed'

const counted = ({ summary: s }: StackResult): number =>
  s === undefined
    ? 0
    : s.adds + s.changes + s.destroys + s.replaces + (s.imports ?? 0) + (s.moves ?? 0) + (s.output_changes ?? 0)

/** Any sign of changes counts, since exit code 2 also stands for plans whose counts are all zero (outputs, moves). */
const showsChanges = (result: StackResult): boolean =>
  result.has_changes === true || result.exit_code === 2 || counted(result) > 0

/** Exit codes that are a success: 2 is a plan with changes and no success of an apply. */
const isGoodExit = (mode: StackResult['mode'], code: number | undefined): boolean =>
  code === undefined || code === 0 || (code === 2 && mode !== 'apply')

/**
 * What a result means for the stack. A success that its own exit code denies is a failure. An apply that does not say that
 * it changed nothing has changed something.
 */
export const outcomeOf = (mode: StackResult['mode'], result: StackResult): Outcome => {
  if (result.unconfirmed === true) return 'unconfirmed'
  if (result.status !== 'success' || !isGoodExit(mode, result.exit_code)) return 'failed'
  if (showsChanges(result)) return 'changes'
  return mode === 'apply' && result.has_changes !== false ? 'changes' : 'none'
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sorted(item)]))
}

/** A result as text that is equal for equal results, whatever the order of their keys: what its digest is taken of. */
export const canonicalResult = (result: StackResult): string => JSON.stringify(sorted(result))

import type { Cancellation } from './cancellation.ts'
import { holds } from './expressions/template.ts'
import { type JobScope, stepScope } from './job-scope.ts'
import { fillNumber } from './workflow/fill-in.ts'
import type { Step } from './workflow/schema.ts'

export type StepStop = {
  signal: AbortSignal
  /** The message for a step that timed out; undefined if it was cancelled or still runs. */
  reason: () => string | undefined
  release: () => void
}

/** When a running step must end: on kill, on its timeout, and on cancellation unless its `if` holds even then. */
export const createStepStop = (
  scope: JobScope,
  step: Step,
  env: Readonly<Record<string, string>>,
  cancellation: Cancellation,
): StepStop => {
  const controller = new AbortController()
  const stop = () => controller.abort()
  const isWanted = () => {
    try {
      return holds(step.if, stepScope({ ...scope, status: 'cancelled' }, env))
    } catch {
      return false
    }
  }
  const onCancel = () => {
    if (!isWanted()) stop()
  }
  const limit = step['timeout-minutes']
  const minutes = limit === undefined ? undefined : fillNumber('timeout-minutes', limit, stepScope(scope, env))
  if (cancellation.cancelled.aborted) onCancel()
  cancellation.cancelled.addEventListener('abort', onCancel)
  cancellation.killed.addEventListener('abort', stop)
  let isLate = false
  const onTimeout = () => {
    isLate = true
    stop()
  }
  const timer = minutes === undefined ? undefined : setTimeout(onTimeout, minutes * 60_000)
  return {
    signal: controller.signal,
    reason: () => (isLate ? `The step has timed out after ${minutes} minutes.` : undefined),
    release: () => {
      clearTimeout(timer)
      cancellation.cancelled.removeEventListener('abort', onCancel)
      cancellation.killed.removeEventListener('abort', stop)
    },
  }
}

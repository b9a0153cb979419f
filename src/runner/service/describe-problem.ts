import { z } from 'zod'
import type { Problem } from '#errors.ts'

const Failures = z.object({
  failures: z.array(z.object({ layer: z.string(), reason: z.string(), stacks: z.array(z.string()).optional() })),
})

const Conflicts = z.object({
  conflicts: z.array(z.object({ stack_key: z.string(), pr_number: z.int().optional(), run_id: z.string().optional() })),
})

const holder = ({ pr_number: pull, run_id: run }: { pr_number?: number | undefined; run_id?: string | undefined }) =>
  pull !== undefined ? `pull request #${pull}` : `run ${run ?? 'unknown'}`

/** An error as a person reads it: its message, and a line for each failure or lock that its details name. */
export const describeProblem = ({ message, details }: Problem): string => {
  const refused = Failures.safeParse(details)
  const locked = Conflicts.safeParse(details)
  const lines = [
    ...(refused.success ? refused.data.failures : []).map(
      ({ layer, reason, stacks }) =>
        `${layer}: ${reason}${stacks === undefined || stacks.length === 0 ? '' : ` (${stacks.join(', ')})`}`,
    ),
    ...(locked.success ? locked.data.conflicts : []).map((lock) => `${lock.stack_key} is locked by ${holder(lock)}`),
  ]
  return [message, ...lines.map((line) => `  ${line}`)].join('\n')
}

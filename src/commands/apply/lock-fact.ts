import type { LockFact } from '#domain/gate/facts.ts'

type Held = {
  stack_key: string
  run_id: string
  pr_number?: number | null | undefined
  taken_at?: Date | string | null | undefined
}

/** A held lock, from its row or from a refusal's list, as the gate and the answers to commands show it. */
export const lockFact = ({ stack_key, run_id, pr_number, taken_at }: Held): LockFact => ({
  stackKey: stack_key,
  runId: run_id,
  ...(typeof pr_number === 'number' ? { prNumber: pr_number } : {}),
  ...(taken_at ? { takenAt: typeof taken_at === 'string' ? taken_at : taken_at.toISOString() } : {}),
})

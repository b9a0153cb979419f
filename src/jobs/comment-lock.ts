import { z } from 'zod'
import { define, laneOf, type OfInstallation } from './definition.ts'

const Unlocked = z.object({
  about: z.literal('unlocked'),
  repo_id: z.number(),
  pr_number: z.number(),
  run_id: z.string(),
  actor: z.string(),
  reason: z.string().optional(),
  force_state: z.boolean(),
  stack_ids: z.array(z.string()),
})

/** The holder is a pull request, or a manual run. */
const OfHolder = z.object({
  about: z.enum(['orphaned', 'reminder']),
  repo_id: z.number(),
  pr_number: z.number().optional(),
  run_id: z.string().optional(),
})

/**
 * Notifies a pull request of what became of the locks that it holds or held. A notice covers all locks of a holder: the comment
 * lists what the pull request holds when it is written. If several locks are released at once, at the same moment `at`, it gets
 * one comment: their jobs are joined.
 */
export const commentLock = define({
  payload: z.discriminatedUnion('about', [Unlocked, OfHolder]),
  key: (lock, { at }: OfInstallation & { at: Date }) =>
    lock.about === 'unlocked'
      ? `unlocked ${lock.repo_id} ${lock.pr_number} ${lock.actor} ${+at}`
      : `${lock.about} ${lock.repo_id} ${lock.pr_number ?? lock.run_id}`,
  lane: laneOf('answers'),
  join: (earlier, later) =>
    earlier.about === 'unlocked' && later.about === 'unlocked'
      ? { ...later, stack_ids: [...new Set([...earlier.stack_ids, ...later.stack_ids])] }
      : later,
})

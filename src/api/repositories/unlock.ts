import { z } from 'zod'
import { LockInfo } from '../lock-summary.ts'
import { optional } from '../optional.ts'
import { RepoName, StackKey, Uuid } from '../scalars.ts'

/** Kept in the audit log and shown in a comment: enough for a sentence and a link, not for a log. */
const reasonChars = 4000

const release = {
  reason: optional(z.string().max(reasonChars)).describe('Why, for the audit log and for the holder of the lock'),
  force_state: optional(z.boolean()).describe(
    'The release follows a runner that died during an apply: the holder is asked to check the state lock',
  ),
  run_id: optional(Uuid).describe('Only if this run holds it: 409 with the holder if another one does'),
}

export const UnlockRequest = z.object({ repo: RepoName.describe('owner/name'), stack_key: StackKey, ...release }).meta({
  id: 'UnlockRequest',
  description: 'Release the orchestration lock of a stack, whichever run holds it unless one is named',
})

/** The stack is in the path, and the body may be left out. */
export const StackUnlockRequest = z.preprocess(
  (body) => body ?? {},
  z.object(release).meta({ id: 'StackUnlockRequest', description: 'Why the lock is released' }),
)

export const UnlockResponse = z
  .object({ released: z.array(LockInfo).describe('Empty if no lock was held') })
  .meta({ id: 'UnlockResponse', description: 'The locks that were released' })

export type UnlockResponse = z.infer<typeof UnlockResponse>

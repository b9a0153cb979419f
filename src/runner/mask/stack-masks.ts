import type { Environment } from '../environment.ts'
import type { StackJob } from '../job/stack-job.ts'
import { withinBase64 } from './base64.ts'
import { declaredSecrets } from './declared-secrets.ts'
import { createMasks, environmentSecrets, type Masks } from './masks.ts'

/** `learn` looks again: what ran since may have written values, or decrypted them. */
export type StackMasks = Masks & { learn(): void }

/**
 * What may not leave the job of a stack before its plan says more: secrets of the environment and of its variables. `given`: what
 * its hooks add to the environment.
 */
export const stackMasks = (
  job: StackJob,
  environment: Environment,
  given: Readonly<Record<string, string>> = {},
): StackMasks => {
  const masks = createMasks()
  const all = { ...environment.all, ...given }
  const learn = (): void => {
    const secrets = [...environmentSecrets({ ...environment, all }), ...declaredSecrets(job, all)]
    masks.add(secrets)
    masks.add(secrets.filter((secret) => secret.length >= 6).flatMap(withinBase64))
  }
  learn()
  return { ...masks, learn }
}

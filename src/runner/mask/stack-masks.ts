import type { Environment } from '../environment.ts'
import type { StackJob } from '../job/stack-job.ts'
import { withinBase64 } from './base64.ts'
import { declaredSecrets } from './declared-secrets.ts'
import { createMasks, environmentSecrets, type Masks } from './masks.ts'

/** What may not leave the job of a stack before its plan says more: secrets of the environment and of its variables. */
export const stackMasks = (job: StackJob, environment: Environment): Masks => {
  const masks = createMasks()
  const secrets = [...environmentSecrets(environment), ...declaredSecrets(job, environment.all)]
  masks.add(secrets)
  masks.add(secrets.filter((secret) => secret.length >= 6).flatMap(withinBase64))
  return masks
}

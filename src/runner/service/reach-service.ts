import { Problem } from '#errors.ts'
import type { Flags } from '../command.ts'
import type { Environment } from '../environment.ts'
import type { Output } from '../output/output.ts'
import { createService, type Service } from './service.ts'

/** Flags of the commands that talk to the service. */
export const serviceFlags = {
  url: { says: "the service's address (SVC_URL)", value: 'URL' },
  audience: { says: "audience of the job's OIDC tokens (SVC_AUDIENCE); the address when left out", value: 'TEXT' },
} as const satisfies Flags

/**
 * - `service`: there is one to talk to.
 * - `no-token`: a job that gets no OIDC token from GitHub, so the service would accept nothing from it.
 * - `none`: a person's shell, where everything is done except the talking.
 */
export type Reached = { kind: 'service'; service: Service } | { kind: 'no-token' } | { kind: 'none' }

/** Finds the service that the environment and the flags name. */
export const reachService = (
  values: { url?: string; audience?: string },
  environment: Environment,
  output: Output,
): Reached => {
  const { idToken, isActions, serviceUrl } = environment
  const url = values.url ?? serviceUrl
  if (idToken === undefined) return { kind: isActions ? 'no-token' : 'none' }
  if (url === undefined)
    throw new Problem('invalid', "SVC_URL: is not set: the service's address, such as https://svc.example.com")
  const audience = values.audience ?? environment.audience
  return { kind: 'service', service: createService({ url, audience, idToken, onRetry: output.warn }) }
}

/** Says why a job without a token does nothing. This is not a failure: a pull request from a fork is never planned. */
export const tellNoToken = (output: Output, isFork: boolean | undefined): void => {
  const why =
    isFork === true
      ? 'a pull request from a fork gets no OIDC token'
      : 'the job has no OIDC token: a pull request from a fork gets none, and other jobs need `permissions: id-token: write`'
  output.warn(`${why}. Without one the service accepts nothing from the job, so nothing is planned`)
}

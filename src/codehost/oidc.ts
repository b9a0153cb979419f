import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import type { Clock } from '#clock.ts'
import { limits } from '#domain/limits.ts'
import type { RunnerClaims } from '#domain/runner-claims.ts'
import type { RefGlob } from '#domain/workflow-ref-glob.ts'
import { Problem } from '#errors.ts'
import { readRunnerClaims } from './runner-claims.ts'

/** Who a CI job is, from the token it carries. Rejects with a Problem: 401, 403, or 503 without the issuer's keys. */
export type OidcVerifier = (token: string) => Promise<RunnerClaims>

export type OidcOptions = {
  /** Compared exactly with `iss`. */
  issuer: string
  jwksUrl: string
  audience: string
  /** Whether the job's workflow may report; without it any may. */
  requiredWorkflowRef?: RefGlob | undefined
  clock: Clock
  /** For a test that rotates keys; see below. */
  refetchAfterMs?: number
}

/*
 * A key that is missing from the cached set is fetched again, but not within 10 s of the last fetch: anybody can write a
 * token's header, and must not decide how often we call the issuer. GitHub publishes a new key long before it signs with it.
 */
const refetchAfterMs = 10_000
const keySetAgeMs = 3_600_000
const leewaySeconds = 60

/**
 * Verifies runner tokens (docs/interface.md, 'Runner token rules' 1, 2 and 4; GitHub Docs, 'OpenID Connect reference'). The
 * caller must check that a token is used once only and that its repository is known: both need the database.
 */
export const createOidcVerifier = (options: OidcOptions): OidcVerifier => {
  const keys = createRemoteJWKSet(new URL(options.jwksUrl), {
    cacheMaxAge: keySetAgeMs,
    cooldownDuration: options.refetchAfterMs ?? refetchAfterMs,
    timeoutDuration: 3000,
  })
  return async (token) => {
    const now = options.clock.now()
    const payload = await verifySignature(token, keys, options, now)
    checkAge(payload, now)
    const claims = readRunnerClaims(payload)
    const { requiredWorkflowRef } = options
    const { jobWorkflowRef } = claims
    if (requiredWorkflowRef && !(jobWorkflowRef !== undefined && requiredWorkflowRef.matches(jobWorkflowRef))) {
      // the allowed glob is not quoted: any repository of the code host gets tokens for our audience, and the glob names
      // private repositories
      throw new Problem(
        'forbidden',
        jobWorkflowRef === undefined
          ? "the token has no job_workflow_ref claim, and the service's SVC_REQUIRED_WORKFLOW_REF asks for one"
          : `the job's workflow ${jobWorkflowRef} is not allowed here: it does not match the service's SVC_REQUIRED_WORKFLOW_REF`,
      )
    }
    return claims
  }
}

type Keys = ReturnType<typeof createRemoteJWKSet>

const verifySignature = async (token: string, keys: Keys, options: OidcOptions, now: Date): Promise<JWTPayload> => {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: options.issuer,
      audience: options.audience,
      algorithms: ['RS256'],
      clockTolerance: leewaySeconds,
      currentDate: now,
      requiredClaims: ['exp', 'iat', 'jti'],
    })
    return payload
  } catch (error) {
    throw refusal(error, options)
  }
}

/** Not the caller's fault: the key set is unreachable, slow, or not a key set. A refused connection is no JOSEError at all. */
const keySetFaults = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'])

const refusal = (error: unknown, { issuer, audience }: OidcOptions): Problem => {
  if (!(error instanceof errors.JOSEError) || keySetFaults.has(error.code)) {
    return new Problem('unavailable', `the signing keys of ${issuer} cannot be fetched: try again`, { cause: error })
  }
  if (error instanceof errors.JWTExpired) return unauthorized('the token has expired: request a new one for every call')
  if (error instanceof errors.JWTClaimValidationFailed) return unauthorized(claimFault(error, issuer, audience))
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey) {
    return unauthorized(`the token is not signed by ${issuer}`)
  }
  return unauthorized('the bearer token is neither an API key (sk_…) nor a token of a CI job')
}

const claimFault = ({ claim, reason }: errors.JWTClaimValidationFailed, issuer: string, audience: string): string => {
  if (reason === 'missing') return `the token has no ${claim} claim`
  if (claim === 'aud') return `the token is for another audience: request one for ${audience}`
  if (claim === 'iss') return `the token is of another issuer than ${issuer}`
  return `the token's ${claim} claim is not valid now`
}

const checkAge = ({ iat = 0 }: JWTPayload, now: Date): void => {
  const age = now.getTime() / 1000 - iat
  if (age > limits.tokenAgeSeconds) {
    throw unauthorized('the token was issued more than 10 minutes ago: request a new one for every call')
  }
  if (age < -leewaySeconds) throw unauthorized('the token was issued in the future: check the clocks')
}

const unauthorized = (message: string): Problem => new Problem('unauthorized', message)

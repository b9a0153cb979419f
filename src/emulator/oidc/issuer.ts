import { randomBytes, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import type { JobIdentity } from '#emulator/actions/contract.ts'

/** Claims as GitHub writes them: each value is a string, ids too. */
export type Claims = Record<string, string>

export type Issuer = {
  /** The key set at /.well-known/jwks. */
  keys(): JWK[]
  /** A token for these claims; jti, iat, nbf and exp are set unless given. Times are seconds since the epoch. */
  mint(claims: Record<string, unknown>): Promise<string>
  /** A new signing key; tokens of the old one stay valid, since its public half stays in the set. */
  rotate(): Promise<void>
  /** The bearer token with which one job requests its tokens. */
  grant(job: JobIdentity): string
  granted(requestToken: string): JobIdentity | undefined
  /** Ends a job's grant. */
  revoke(jobId: number): void
}

type SigningKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey']

/** An issuer of Actions' OIDC tokens. `issuer` is a function since the port is known only after the server listens. */
export const createIssuer = async (issuer: () => string, clock: () => Date): Promise<Issuer> => {
  const keys: { kid: string; key: SigningKey; jwk: JWK }[] = []
  const grants = new Map<string, JobIdentity>()

  const rotate = async (): Promise<void> => {
    const { publicKey, privateKey } = await generateKeyPair('RS256')
    const kid = randomUUID().toUpperCase()
    const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }
    keys.unshift({ kid, key: privateKey, jwk })
  }
  await rotate()

  return {
    keys: () => keys.map(({ jwk }) => jwk),
    mint: async (claims) => {
      const [signing] = keys
      if (!signing) throw new Error('the issuer has no key')
      const now = Math.floor(clock().getTime() / 1000)
      // The lifetimes of the token in GitHub's documentation; jti is new each time, as a verifier may require.
      const times = { iat: now, nbf: now - 600, exp: now + 300 }
      return new SignJWT({ jti: randomUUID(), iss: issuer(), ...times, ...claims })
        .setProtectedHeader({ typ: 'JWT', alg: 'RS256', kid: signing.kid })
        .sign(signing.key)
    },
    rotate,
    grant: (job) => {
      const token = randomBytes(32).toString('base64url')
      grants.set(token, job)
      return token
    },
    granted: (requestToken) => grants.get(requestToken),
    revoke: (jobId) => {
      for (const [token, job] of grants) if (job.id === jobId) grants.delete(token)
    },
  }
}

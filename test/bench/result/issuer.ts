import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export type Issuer = { jwksUrl: string; mint(): Promise<string>; close(): void }

export const issuerName = 'https://token.example.com'
export const audience = 'https://svc.example.com'

/** Signs tokens of jobs of pull request 1 of repository 1, and serves its keys. */
export const startIssuer = async (): Promise<Issuer> => {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }]
  const server = createServer((_request, response) => response.end(JSON.stringify({ keys })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const claims = {
    repository_id: '1',
    repository: 'acme/infra',
    event_name: 'pull_request',
    ref: 'refs/pull/1/merge',
    sha: 'f'.repeat(40),
    run_id: '1',
    run_attempt: '1',
    workflow_ref: 'acme/infra/.github/workflows/plan.yml@refs/pull/1/merge',
    job_workflow_ref: 'acme/infra/.github/workflows/plan.yml@refs/pull/1/merge',
  }
  return {
    jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`,
    mint: () =>
      new SignJWT({ ...claims, jti: randomUUID() })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .setIssuer(issuerName)
        .setAudience(audience)
        .setIssuedAt()
        .setNotBefore('-10m')
        .setExpirationTime('5m')
        .sign(privateKey),
    close: () => server.close(),
  }
}

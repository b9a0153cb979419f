import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { fullNameOf, type HostRepository } from './records.ts'

/** Which job asks: of which workflow run, and of which pull request or of the service's own workflow. */
export type Job = { workflowRunId: number; attempt: number; pull?: number }

export type JobTokens = {
  issuer: string
  keys: { keys: JWK[] }
  /** A fresh token for one request of a job. */
  mint(repository: HostRepository, job: Job): Promise<string>
}

const issuer = 'https://token.walks.example'
/** Base URL of the service, as its configuration has it. */
export const audience = 'http://svc.example.com'

/** Signs the tokens of jobs, as GitHub's issuer does. */
export const createJobTokens = async (): Promise<JobTokens> => {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }]
  return {
    issuer,
    keys: { keys },
    mint: (repository, job) =>
      new SignJWT({ ...claimsOf(repository, job), jti: randomUUID() })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setNotBefore('-1m')
        .setExpirationTime('5m')
        .sign(privateKey),
  }
}

const claimsOf = (repository: HostRepository, { workflowRunId, attempt, pull }: Job) => {
  const name = fullNameOf(repository)
  const ref = pull === undefined ? 'refs/heads/main' : `refs/pull/${pull}/merge`
  const file = pull === undefined ? 'svc-run.yml' : 'svc-plan.yml'
  const workflow = `${name}/.github/workflows/${file}@${ref}`
  return {
    ...{ repository_id: String(repository.id), repository: name, ref, sha: 'f'.repeat(40) },
    ...{ event_name: pull === undefined ? 'workflow_dispatch' : 'pull_request' },
    ...{ run_id: String(workflowRunId), run_attempt: String(attempt), environment: 'default' },
    ...{ workflow_ref: workflow, job_workflow_ref: workflow },
  }
}

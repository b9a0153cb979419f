import type { FastifyInstance } from 'fastify'
import type { World } from '#emulator/world.ts'
import { claimsOf } from './claims.ts'

/** The issuer's discovery document and keys, and the endpoint at which a job requests a token. */
export const addOidcRoutes = (server: FastifyInstance, world: World): void => {
  server.get('/_services/token/.well-known/openid-configuration', async () => ({
    issuer: world.urls.issuer,
    jwks_uri: `${world.urls.issuer}/.well-known/jwks`,
    subject_types_supported: ['public', 'pairwise'],
    response_types_supported: ['id_token'],
    claims_supported: ['sub', 'aud', 'exp', 'iat', 'iss', 'jti', 'nbf', 'repository_id', 'run_id', 'job_workflow_ref'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid'],
  }))

  server.get('/_services/token/.well-known/jwks', async () => ({ keys: world.issuer.keys() }))

  server.get<{ Querystring: { audience?: string } }>(tokenPath, async (request, reply) => {
    const requestToken = /^bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const job = requestToken === undefined ? undefined : world.issuer.granted(requestToken)
    const run = job && world.store.workflowRuns.get(job.runId)
    if (!job || !run) return reply.code(401).send({ message: 'the request token is not valid or its job has ended' })
    const audience = request.query.audience ?? `${world.urls.web}/${run.repository.owner.login}`
    return { value: await world.issuer.mint({ ...claimsOf(run, job), aud: audience }) }
  })
}

const tokenPath = '/_services/pipelines/idtoken'

/** ACTIONS_ID_TOKEN_REQUEST_URL: has a query string already, because clients append with an ampersand. */
export const tokenRequestUrl = (world: World, jobId: number): string =>
  `${world.urls.web}${tokenPath}?api-version=2.0&job=${jobId}`

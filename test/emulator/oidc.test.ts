import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose'
import t from 'tap'
import type { Emulator } from '#emulator/emulator.ts'
import { hubFor } from './hub.ts'

/* The issuer of Actions' tokens (GitHub Docs, 'OpenID Connect reference'). */

const prepare = async (t: Parameters<typeof hubFor>[0]) => {
  const hub = await hubFor(t)
  const repository = await hub.createRepository({ owner: 'acme', name: 'infra' })
  const pull = await hub.openPullRequest({
    repo: 'acme/infra',
    branch: 'change',
    title: 'Change',
    author: 'ann',
    changes: { 'a.tf': 'a\n' },
  })
  const run = await pull.playWorkflowRun({ path: '.github/workflows/svc-plan.yml', name: 'plan' })
  return { hub, repository, pull, run }
}

const verified = async (hub: Emulator, token: string): Promise<JWTPayload> => {
  const discovered = (await (await fetch(`${hub.issuer}/.well-known/openid-configuration`)).json()) as {
    issuer: string
    jwks_uri: string
  }
  const keys = createRemoteJWKSet(new URL(discovered.jwks_uri))
  return (await jwtVerify(token, keys, { issuer: discovered.issuer, audience: 'svc', algorithms: ['RS256'] })).payload
}

t.test('a job’s token verifies by the published keys and makes the same claims as GitHub’s', async (t) => {
  const { hub, repository, pull, run } = await prepare(t)
  const job = run.job('plan', { environment: 'prod' })
  const claims = await verified(hub, await job.token('svc'))
  const { iat, nbf, exp, jti, ...said } = claims
  const ref = `refs/pull/${pull.number}/merge`
  const file = `acme/infra/.github/workflows/svc-plan.yml@${ref}`
  t.match(said, {
    iss: hub.issuer,
    aud: 'svc',
    event_name: 'pull_request',
    repository: 'acme/infra',
    repository_id: String(repository.id),
    repository_owner: 'acme',
    ref,
    sha: run.sha,
    head_ref: 'change',
    base_ref: 'main',
    workflow: 'plan',
    workflow_ref: file,
    job_workflow_ref: file,
    run_id: String(run.id),
    run_attempt: '1',
    actor: 'ann',
    environment: 'prod',
    check_run_id: String(job.id),
  })
  for (const [name, value] of Object.entries(said)) t.type(value, 'string', `${name} is a string`)
  t.equal(nbf, iat! - 600)
  t.equal(exp, iat! + 300)
  t.not(jti, decodeJwt(await job.token('svc')).jti, 'each token is different')
  t.not(said.sha, pull.headSha(), 'the head is in no claim')
  t.notOk('environment' in decodeJwt(await run.token('svc')), 'nor an environment without one')
})

t.test('keys rotate: new tokens name the new key, old ones stay valid', async (t) => {
  const { hub, run } = await prepare(t)
  const before = await run.token('svc')
  await hub.rotateKeys()
  const after = await run.token('svc')
  t.not(decodeProtectedHeader(before).kid, decodeProtectedHeader(after).kid)
  t.ok(await verified(hub, before))
  t.ok(await verified(hub, after))
})

t.test('claims may be replaced, to play tokens that must be refused', async (t) => {
  const { hub, run } = await prepare(t)
  t.equal(decodeJwt(await run.token('svc', { event_name: 'push' })).event_name, 'push')
  const past = Math.floor(Date.now() / 1000) - 1000
  await t.rejects(verified(hub, await run.token('svc', { exp: past })), { code: 'ERR_JWT_EXPIRED' })
  t.match(decodeJwt(await hub.mintToken({ aud: 'svc', any: 'thing' })), { iss: hub.issuer, any: 'thing' })
})

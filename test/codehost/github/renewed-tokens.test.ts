import pino from 'pino'
import t from 'tap'
import { createGitHub } from '#codehost/github/github.ts'
import { startEmulator } from '#emulator/emulator.ts'
import { pull, pullPath, repo as scripted, scriptedGitHub } from './scripted-github.ts'

/* A token has the permissions that its installation had when it was made, for an hour (GitHub, 'Modifying a GitHub App registration'). */

t.test('a permission that was accepted a moment ago counts at once', async (t) => {
  const hub = await startEmulator({ dataDir: t.testdir({}) })
  t.teardown(() => hub.close())
  const workflow = 'on: { workflow_dispatch: { inputs: {} } }\njobs: {}\n'
  await hub.createRepository({ owner: 'acme', name: 'infra', files: { '.github/workflows/svc-run.yml': workflow } })
  const before = { metadata: 'read', contents: 'read', actions: 'read' } as const
  const installation = hub.createInstallation({ account: 'acme', type: 'Organization', permissions: before })
  const { id: appId, privateKey } = hub.app
  const host = createGitHub({
    appId,
    privateKey,
    apiUrl: hub.url,
    log: pino({ level: 'silent' }),
    paced: false,
    retryBaseMs: 1,
  })
  const repo = { installation_id: installation.id, owner: 'acme', name: 'infra' }
  const dispatch = () => host.dispatchWorkflow(repo, { workflow: 'svc-run.yml', ref: 'main', inputs: {} })
  await host.branchHead(repo, 'main')
  installation.setPermissions({ ...before, actions: 'write' })
  await dispatch()
  t.equal(
    hub.requests.filter(({ path }) => path.endsWith('/dispatches')).length,
    2,
    'refused by the old token, and sent',
  )
})

t.test('a token that lacks a permission is made anew once a minute, not for each call', async (t) => {
  const refusal = { status: 403, json: { message: 'Resource not accessible by integration' } }
  const github = await scriptedGitHub(t, { [pullPath]: (_, times) => (times === 2 ? { json: pull } : refusal) })
  t.match(await github.host.getPullRequest(scripted, 3), { headSha: 'h1' })
  t.equal(github.tokens.length, 2)
  await t.rejects(github.host.getPullRequest(scripted, 3), { name: 'Refusal', hostStatus: 403 })
  t.equal(github.tokens.length, 2)
})

t.test('other refusals cost no token', async (t) => {
  const github = await scriptedGitHub(t, {
    [pullPath]: () => ({ status: 403, json: { message: 'Upgrade your plan' } }),
  })
  await t.rejects(github.host.getPullRequest(scripted, 3), { name: 'Refusal', hostStatus: 403 })
  t.equal(github.tokens.length, 1)
})

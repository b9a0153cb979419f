import t from 'tap'
import { routes } from '#emulator/rest/routes.ts'
import { asClient, manifestCode, userToken } from '#test/emulator/people/people-at-the-hub.ts'
import { expectingBy } from '../expecting.ts'
import { asApp, asInstallation, asking, hubFor } from '../hub.ts'
import { askIssues } from './issues-conformance.ts'

/*
 * Asks every operation of the emulator over HTTP, correctly and incorrectly, and holds each answer against GitHub's
 * published OpenAPI document.
 */

const hub = await hubFor(t, { app: { webhookUrl: 'http://127.0.0.1:9/refused' } })
const installation = hub.createInstallation({
  account: 'acme',
  type: 'Organization',
  permissions: {
    ...{ metadata: 'read', contents: 'read', members: 'read', actions: 'write', checks: 'write' },
    ...{ issues: 'write', pull_requests: 'write', deployments: 'write' },
  },
})
const repository = await hub.createRepository({
  owner: 'acme',
  name: 'infra',
  files: {
    'README.md': 'hello\n',
    'stacks/a/main.tf': 'a\n',
    'stacks/b/main.tf': 'b\n'.repeat(9),
    'run.sh': '#!/bin/sh\n',
    '.github/workflows/svc-run.yml': 'on: { workflow_dispatch: { inputs: { run_id: } } }\njobs: {}\n',
  },
})
const pull = await hub.openPullRequest({
  repo: 'acme/infra',
  branch: 'change/it',
  title: 'Change it',
  author: 'ann',
  changes: {
    'stacks/a/main.tf': 'A\n',
    'stacks/b/main.tf': null,
    'stacks/c/main.tf': 'b\n'.repeat(9),
    'new.tf': 'n\n',
  },
})
const run = await pull.playWorkflowRun({ path: '.github/workflows/svc-plan.yml', name: 'plan' })
run.job('resolve').complete('success')
run.job('plan (a)').complete('failure')
const said = pull.comment('Looks good')
const review = pull.review('bob', 'approve', 'Ship it')
pull.review('carl', 'comment')
pull.dismissReview(review.id, 'ann')
const ops = hub.organization('acme').team('ops')
ops.add('olga')
repository.setPermission('bob', 'maintain')
await repository.pushTags({ name: 'v1.0.0' }, { name: 'v1.1.0', message: 'The second\n\nwith more', by: 'ann' })
await repository.publishRelease({ tag: 'v1.1.0', by: 'ann' })
repository.environment('prod', { reviewers: ['svc[bot]', 'acme/ops'] })
const forked = await hub.openPullRequest({
  repo: 'acme/infra',
  branch: 'theirs',
  title: 'From afar',
  author: 'eve',
  changes: { 'eve.tf': 'e\n' },
  fork: true,
})
const other = await hub.openPullRequest({
  repo: 'acme/infra',
  branch: 'other',
  title: 'Another',
  author: 'bob',
  changes: { 'README.md': 'bye\n' },
})
await other.merge('ann')
await hub.deliveriesSettled()

const asked = new Set<string>()
const app = await asApp(hub)
const installed = await asInstallation(hub, installation.id)
const nobody = asking(hub, undefined)

/** Returns the answer's body. */
const expecting = expectingBy(installed, asked)

const repo = '/repos/{owner}/{repo}'
const unknownSha = '1'.repeat(40)

t.test('apps and installations', async () => {
  await expecting(200, { as: app, path: '/app' })
  await expecting(200, { as: app, path: '/app/installations' })
  const one = '/app/installations/{installation_id}'
  await expecting(200, { as: app, path: one, params: { installation_id: installation.id } })
  await expecting(404, { as: app, path: one, params: { installation_id: 1 } })
  const tokens = { as: app, method: 'POST', path: `${one}/access_tokens`, params: { installation_id: installation.id } }
  await expecting(201, tokens)
  await expecting(201, { ...tokens, body: { repository_ids: [repository.id], permissions: { contents: 'read' } } })
  await expecting(422, { ...tokens, body: { repository_ids: [1] } })
  await expecting(422, { ...tokens, body: { permissions: { administration: 'write' } } })
  await expecting(404, { ...tokens, params: { installation_id: 1 } })
  await expecting(401, { ...tokens, as: nobody })
  await expecting(200, { as: app, path: `${repo}/installation` })
  await expecting(404, { as: app, path: `${repo}/installation`, params: { repo: 'none' } })
  await expecting(200, { path: '/installation/repositories' })
  await expecting(401, { as: nobody, path: '/installation/repositories' })
})

t.test('webhook deliveries', async () => {
  const list = (await expecting(200, { as: app, path: '/app/hook/deliveries' })) as { id: number }[]
  const params = { delivery_id: list[0]!.id }
  await expecting(200, { as: app, path: '/app/hook/deliveries/{delivery_id}', params })
  await expecting(202, { as: app, method: 'POST', path: '/app/hook/deliveries/{delivery_id}/attempts', params })
})

t.test('repositories, branches, references, commits', async () => {
  await expecting(200, { path: repo })
  await expecting(404, { path: repo, params: { repo: 'none' } })
  await expecting(200, { path: `${repo}/branches/{branch}`, params: { branch: 'change/it' } })
  await expecting(404, { path: `${repo}/branches/{branch}`, params: { branch: 'none' } })
  await expecting(200, { path: `${repo}/git/ref/{ref}`, params: { ref: 'heads/main' } })
  await expecting(200, { path: `${repo}/git/ref/{ref}`, params: { ref: `pull/${pull.number}/merge` } })
  await expecting(404, { path: `${repo}/git/ref/{ref}`, params: { ref: 'heads' } })
  await expecting(200, { path: `${repo}/commits/{ref}`, params: { ref: 'main' } })
  await expecting(200, { path: `${repo}/commits/{ref}`, params: { ref: pull.headSha() } })
  await expecting(422, { path: `${repo}/commits/{ref}`, params: { ref: unknownSha } })
  const gitCommit = `${repo}/git/commits/{commit_sha}`
  await expecting(200, { path: gitCommit, params: { commit_sha: pull.headSha() } })
  await expecting(404, { path: gitCommit, params: { commit_sha: unknownSha } })
  await expecting(404, { path: gitCommit, params: { commit_sha: 'main' } })
  await expecting(200, { path: `${repo}/activity` })
  await expecting(200, { path: `${repo}/activity`, query: '?ref=refs/heads/change/it' })
})

t.test('tags and releases', async () => {
  await expecting(200, { path: `${repo}/tags` })
  const refs = (await expecting(200, { path: `${repo}/git/matching-refs/{ref}`, params: { ref: 'tags/' } })) as {
    object: { sha: string; type: string }
  }[]
  const annotated = refs.find(({ object }) => object.type === 'tag')
  await expecting(200, { path: `${repo}/git/tags/{tag_sha}`, params: { tag_sha: annotated!.object.sha } })
  await expecting(404, { path: `${repo}/git/tags/{tag_sha}`, params: { tag_sha: unknownSha } })
  await expecting(200, { path: `${repo}/releases` })
})

t.test('contents', async () => {
  const path = `${repo}/contents/{path}`
  await expecting(200, { path, params: { path: 'README.md' } })
  await expecting(200, { path, params: { path: 'stacks' } })
  await expecting(200, { path, params: { path: 'new.tf' }, query: '?ref=change/it' })
  await expecting(404, { path, params: { path: 'new.tf' } })
  await expecting(404, { path, params: { path: 'README.md' }, query: `?ref=${unknownSha}` })
})

t.test('trees', async () => {
  const path = `${repo}/git/trees/{tree_sha}`
  await expecting(200, { path, params: { tree_sha: 'main' } })
  await expecting(200, { path, params: { tree_sha: 'change/it' }, query: '?recursive=1' })
  await expecting(404, { path, params: { tree_sha: unknownSha } })
})

t.test('pull requests', async () => {
  await expecting(200, { path: `${repo}/pulls`, query: '?state=all' })
  for (const pull_number of [pull.number, other.number, forked.number]) {
    await expecting(200, { path: `${repo}/pulls/{pull_number}`, params: { pull_number } })
  }
  await expecting(404, { path: `${repo}/pulls/{pull_number}`, params: { pull_number: 99 } })
  await expecting(200, { path: `${repo}/pulls/{pull_number}/files`, params: { pull_number: pull.number } })
})

t.test('the facts of a gate: reviews, permissions, teams', async () => {
  await expecting(200, { path: `${repo}/pulls/{pull_number}/reviews`, params: { pull_number: pull.number } })
  const permission = { path: `${repo}/collaborators/{username}/permission` }
  await expecting(200, { ...permission, params: { username: 'bob' } })
  await expecting(404, { ...permission, params: { username: 'nobody-at-all' } })
  const team = { path: '/orgs/{org}/teams/{team_slug}', params: { org: 'acme', team_slug: 'ops' } }
  await expecting(200, team)
  await expecting(404, { ...team, params: { org: 'acme', team_slug: 'none' } })
  const membership = { path: `${team.path}/memberships/{username}` }
  await expecting(200, { ...membership, params: { ...team.params, username: 'olga' } })
  await expecting(404, { ...membership, params: { ...team.params, username: 'bob' } })
  const member = { path: '/orgs/{org}/members/{username}' }
  await expecting(204, { ...member, params: { org: 'acme', username: 'olga' } })
  await expecting(404, { ...member, params: { org: 'acme', username: 'bob' } })
})

t.test('reactions', async () => {
  const path = `${repo}/issues/comments/{comment_id}/reactions`
  const on = { path, params: { comment_id: said.id } }
  await expecting(201, { ...on, method: 'POST', body: { content: 'eyes' } })
  await expecting(200, { ...on, method: 'POST', body: { content: 'eyes' } })
  await expecting(422, { ...on, method: 'POST', body: { content: 'applause' } })
  await expecting(200, on)
  await expecting(404, { ...on, params: { comment_id: 1 } })
})

t.test('check runs', async () => {
  const create = { method: 'POST', path: `${repo}/check-runs` }
  const output = { title: 'planned', summary: 'all', text: 'of it' }
  const body = { name: 'svc/plan', head_sha: pull.headSha(), status: 'queued', details_url: 'http://svc/', output }
  const made = (await expecting(201, { ...create, body })) as { id: number }
  await expecting(201, { ...create, body: { ...body, name: 'svc/resolve', conclusion: 'success' } })
  const params = { check_run_id: made.id }
  await expecting(200, { path: `${repo}/check-runs/{check_run_id}`, params })
  const update = { method: 'PATCH', path: `${repo}/check-runs/{check_run_id}`, params }
  await expecting(200, { ...update, body: { status: 'in_progress' } })
  await expecting(200, { ...update, body: { conclusion: 'failure', output: { summary: 'none' } } })
  await expecting(200, { path: `${repo}/commits/{ref}/check-runs`, params: { ref: pull.headSha() } })
})

t.test('comments', async () => {
  const list = { path: `${repo}/issues/{issue_number}/comments`, params: { issue_number: pull.number } }
  const made = (await expecting(201, { ...list, method: 'POST', body: { body: 'planned' } })) as { id: number }
  await expecting(422, { ...list, method: 'POST', body: { body: 'x'.repeat(65_537) } })
  await expecting(404, { ...list, method: 'POST', body: { body: 'x' }, params: { issue_number: 99 } })
  await expecting(200, list)
  const one = { path: `${repo}/issues/comments/{comment_id}`, params: { comment_id: made.id } }
  await expecting(200, one)
  await expecting(200, { ...one, method: 'PATCH', body: { body: 'planned again' } })
  await expecting(422, { ...one, method: 'PATCH', body: {} })
  await expecting(204, { ...one, method: 'DELETE' })
  await expecting(404, one)
})

t.test('issues', () => askIssues(expecting, repository, pull))

t.test('workflow runs and jobs', async () => {
  const params = { run_id: run.id }
  await expecting(200, { path: `${repo}/actions/runs/{run_id}`, params })
  await expecting(200, { path: `${repo}/actions/runs/{run_id}/jobs`, params })
  const list = { path: `${repo}/actions/workflows/{workflow_id}/runs`, params: { workflow_id: 'svc-plan.yml' } }
  await expecting(200, list)
})

t.test('dispatches, and changes to runs', async () => {
  const workflow = { path: `${repo}/actions/workflows/{workflow_id}`, params: { workflow_id: 'svc-run.yml' } }
  await expecting(200, workflow)
  const dispatch = { ...workflow, method: 'POST', path: `${workflow.path}/dispatches` }
  await expecting(204, { ...dispatch, body: { ref: 'main' } })
  const details = { ref: 'main', inputs: { run_id: 'r' }, return_run_details: true }
  const { workflow_run_id: run_id } = (await expecting(200, { ...dispatch, body: details })) as {
    workflow_run_id: number
  }
  const params = { run_id }
  hub.workflowRun(run_id).play().job('stack', { environment: 'prod' })
  const pending = { path: `${repo}/actions/runs/{run_id}/pending_deployments`, params }
  const [waiting] = (await expecting(200, pending)) as { environment: { id: number } }[]
  const decision = { environment_ids: [waiting?.environment.id], state: 'approved', comment: 'Go' }
  await expecting(200, { ...pending, method: 'POST', body: decision })
  const change = (what: string) => ({ method: 'POST', path: `${repo}/actions/runs/{run_id}/${what}`, params })
  await expecting(202, change('cancel'))
  await expecting(409, change('cancel'))
  await expecting(201, change('rerun-failed-jobs'))
  await expecting(202, change('cancel'))
  await expecting(201, change('rerun'))
  await expecting(200, { path: `${repo}/actions/runs/{run_id}`, params })
  await expecting(200, { path: `${repo}/actions/runs/{run_id}/jobs`, params })
})

t.test('the rate limit', async () => {
  await expecting(200, { path: '/rate_limit' })
  await expecting(200, { as: nobody, path: '/rate_limit' })
})

t.test('a person who lets the app act for them', async () => {
  hub.organization('acme').addMember('ada')
  const token = await userToken(hub, 'ada')
  const ada = asking(hub, token)
  await expecting(200, { as: ada, path: '/user' })
  await expecting(401, { as: nobody, path: '/user' })
  await expecting(200, { as: ada, path: '/user/orgs' })
  await expecting(200, { as: ada, path: '/user/memberships/orgs', query: '?state=active' })
  const params = { client_id: hub.app.clientId }
  const end = { as: asClient(hub), method: 'DELETE', path: '/applications/{client_id}/token', params }
  await expecting(422, { ...end, body: {} })
  await expecting(204, { ...end, body: { access_token: token } })
  await expecting(401, { as: ada, path: '/user/orgs' })
})

t.test('an app made from a manifest', async () => {
  const conversion = { as: nobody, method: 'POST', path: '/app-manifests/{code}/conversions' }
  const params = {
    code: await manifestCode(hub, { url: 'http://127.0.0.1:9', redirect_url: 'http://127.0.0.1:9/back' }),
  }
  await expecting(201, { ...conversion, params })
  await expecting(404, { ...conversion, params })
})

t.test('no operation was left out', async (t) => {
  const all = routes.map((route) => `${route.method} ${route.path}`)
  t.strictSame(
    all.filter((route) => !asked.has(route)),
    [],
  )
})

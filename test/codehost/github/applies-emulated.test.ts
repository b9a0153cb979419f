import pino from 'pino'
import t from 'tap'
import { readDelivery } from '#codehost/github/deliveries.ts'
import { createGitHub } from '#codehost/github/github.ts'
import { startEmulator } from '#emulator/emulator.ts'
import { receiverFor } from '#test/emulator/webhooks/receiver.ts'

/* What applies ask of GitHub and its answers, from an emulator held against GitHub's own OpenAPI document. */

const path = '.github/workflows/svc-run.yml'
const workflow = `run-name: "svc \${{ inputs.mode }} \${{ inputs.run_id }}"
on: { workflow_dispatch: { inputs: { run_id: { required: true }, mode: { required: true } } } }
jobs: {}
`
const hub = await startEmulator({ dataDir: t.testdir({}) })
t.teardown(() => hub.close())
const repository = await hub.createRepository({
  owner: 'acme',
  name: 'infra',
  files: { 'net/main.tf': '#\n', [path]: workflow },
})
const installation = hub.createInstallation({ account: 'acme', type: 'Organization', repositories: ['infra'] })
const open = (branch: string) =>
  hub.openPullRequest({
    repo: 'acme/infra',
    branch,
    title: branch,
    author: 'ada',
    changes: { 'net/main.tf': `${branch}\n` },
  })
const pull = await open('change/net')
const { url, received } = await receiverFor(t)
hub.setWebhookUrl(url)
const options = {
  appId: hub.app.id,
  privateKey: hub.app.privateKey,
  log: pino({ level: 'silent' }),
  paced: false,
  retryBaseMs: 1,
}
const githubCom = 'https://api.github.com'
/** The emulator's API is at an Enterprise Server's address; this is the same at the address of github.com. */
const host = createGitHub({
  ...options,
  apiUrl: githubCom,
  fetch: (address, init) => fetch(String(address).replace(githubCom, hub.url), init),
})
const enterpriseServer = createGitHub({ ...options, apiUrl: hub.url })
const repo = { installation_id: installation.id, owner: 'acme', name: 'infra' }
const start = new Date(Date.now() - 60_000)

const facts = async (kind: string) => {
  await hub.deliveriesSettled()
  return received.map(({ event, payload }) => readDelivery(event, payload)).filter((fact) => fact.kind === kind)
}

t.test('open pull requests are those that are neither closed nor merged', async (t) => {
  const closed = await open('change/closed')
  await closed.close()
  t.match(await host.listOpenPullRequests(repo), [
    { number: pull.number, state: 'open', headSha: pull.headSha(), headRepoId: repository.id, author: 'ada' },
  ])
  const merged = await open('change/merged')
  await merged.merge('bob')
  t.equal((await host.listOpenPullRequests(repo)).length, 1)
  const mergeCommitSha = await repository.head()
  t.match(await host.getPullRequest(repo, merged.number), {
    ...{ state: 'closed', mergedBy: 'bob', mergedAt: String, mergeCommitSha },
  })
  t.match(await host.getPullRequest(repo, pull.number), { mergedBy: undefined, mergeCommitSha: null }, 'no test merge')
})

t.test('reviews are listed as they are now: a dismissed one says so', async (t) => {
  const first = pull.review('bob', 'approve')
  pull.review('cyd', 'request_changes', 'no')
  t.match(await host.listReviews(repo, pull.number), [
    { login: 'bob', bot: false, state: 'APPROVED', commitId: pull.headSha(), submittedAt: String },
    { login: 'cyd', state: 'CHANGES_REQUESTED' },
  ])
  pull.dismissReview(first.id, 'ada')
  t.match(await host.listReviews(repo, pull.number), [{ login: 'bob', state: 'DISMISSED' }, { login: 'cyd' }])
})

t.test('permissions and teams are read as the gate needs them', async (t) => {
  const acme = hub.organization('acme')
  repository.setPermission('bob', 'maintain')
  repository.setPermission('cyd', 'triage')
  repository.setPermission('dan', 'none')
  const people = ['bob', 'cyd', 'dan', 'never-seen']
  t.same(await Promise.all(people.map((login) => host.permissionOf(repo, login))), ['write', 'read', 'none', 'none'])
  const ops = acme.team('ops')
  ops.add('bob')
  ops.add('cyd', 'pending')
  const member = (slug: string, login: string) => host.isTeamMember(installation.id, { org: 'acme', slug }, login)
  t.same(await Promise.all(['bob', 'cyd', 'dan'].map((login) => member('ops', login))), [true, false, false])
  t.equal(await member('no-such-team', 'bob'), undefined)
})

t.test("a person's comment is read and reacted to; our own answer is no command", async (t) => {
  const comment = pull.comment('svc apply', 'bob')
  await host.createComment(repo, pull.number, 'svc apply: on its way')
  t.same(await facts('comment'), [
    {
      kind: 'comment',
      repoId: repository.id,
      number: pull.number,
      commentId: comment.id,
      author: 'bob',
      authorId: comment.author.id,
      body: 'svc apply',
      writtenAt: `${comment.createdAt.toISOString().slice(0, 19)}Z`,
    },
  ])
  t.equal(await host.addReaction(repo, comment.id, 'eyes'), true)
  t.equal(await host.addReaction(repo, comment.id, 'eyes'), true)
  t.equal(await host.addReaction(repo, comment.id, 'rocket'), true)
  t.same(
    pull.reactions(comment.id).map(({ content }) => content),
    ['eyes', 'rocket'],
  )
  pull.deleteComment(comment.id)
  t.equal(await host.addReaction(repo, comment.id, 'eyes'), false)
})

t.test('a dispatch starts a run that is found by its id, its title and its webhook', async (t) => {
  const order = { workflow: 'svc-run.yml', ref: 'main', inputs: { run_id: 'r1', mode: 'apply' } }
  const id = await host.dispatchWorkflow(repo, order)
  const run = await host.getWorkflowRun(repo, id!)
  t.match(run, { id, event: 'workflow_dispatch', title: 'svc apply r1', path, attempt: 1, conclusion: null })
  t.equal(run?.headSha, await repository.head())
  t.same(await host.listWorkflowRuns(repo, 'svc-run.yml', start), [run])
  t.same(await host.listWorkflowRuns(repo, 'svc-run.yml', new Date(Date.now() + 60_000)), [])
  const inputs = { run_id: 'r0', mode: 'apply' }
  t.equal(await enterpriseServer.dispatchWorkflow(repo, { ...order, inputs }), undefined)
  t.match(await host.listWorkflowRuns(repo, 'svc-run.yml', start), [{ title: 'svc apply r0' }, { id }], 'newest first')
  t.match((await facts('workflow_run'))[0], {
    action: 'requested',
    workflowRunId: id,
    path,
    event: 'workflow_dispatch',
  })
  const refused = (changes: Partial<typeof order>) => host.dispatchWorkflow(repo, { ...order, ...changes })
  await t.rejects(refused({ workflow: 'gone.yml' }), { name: 'Refusal', hostStatus: 404 })
  await t.rejects(refused({ ref: pull.headSha() }), {
    name: 'Refusal',
    hostStatus: 422,
    hostMessage: /^No ref found for: [0-9a-f]+$/,
  })
  const more = { ...order.inputs, wave: '0' }
  await t.rejects(refused({ inputs: more }), { name: 'Refusal', hostMessage: 'Unexpected inputs provided: ["wave"]' })
})

t.test('a dispatch whose answer is lost was carried out once, and is found', async (t) => {
  hub.faults.add({ kind: 'request', method: 'POST', path: /\/dispatches$/, effect: 'drop-after', times: 1 })
  const order = { workflow: 'svc-run.yml', ref: 'main', inputs: { run_id: 'r2', mode: 'apply' } }
  await t.rejects(host.dispatchWorkflow(repo, order), { name: 'Problem', code: 'unavailable' })
  const runs = await host.listWorkflowRuns(repo, 'svc-run.yml', start)
  t.match(runs.map(({ title }) => title).sort(), ['svc apply r0', 'svc apply r1', 'svc apply r2'])
})

t.test('check runs and suites asked for again are read with their external id or commit', async (t) => {
  const made = await host.createCheckRun(repo, {
    name: 'svc/plan',
    headSha: pull.headSha(),
    externalId: 'run-1/stack-2',
    detailsUrl: 'https://svc.test/runs/run-1',
    status: 'completed',
    conclusion: 'failure',
    title: 'failed',
    summary: 'it failed',
  })
  pull.rerequestCheck(made, 'bob')
  await pull.rerequestChecks('cyd')
  const common = { kind: 'rerequest', repoId: repository.id, sha: pull.headSha() }
  t.match(await facts('rerequest'), [
    { ...common, externalId: 'run-1/stack-2', actor: 'bob', accountId: Number },
    { ...common, actor: 'cyd', accountId: Number },
  ])
})

t.test('a lost delivery is listed, delivered again, and then not listed any more', async (t) => {
  await hub.deliveriesSettled()
  t.same(await host.listFailedDeliveries(start), [])
  hub.faults.add({ kind: 'webhook', event: 'issue_comment', effect: 'lose', times: 1 })
  const comment = pull.comment('svc plan', 'cyd')
  await hub.deliveriesSettled()
  const lost = await host.listFailedDeliveries(start)
  t.match(lost, [{ id: Number, guid: String, deliveredAt: String }])
  t.equal(lost.length, 1)
  t.equal(await host.redeliver(lost[0]!.id), true)
  await hub.deliveriesSettled()
  t.match(received.at(-1), { event: 'issue_comment', headers: { 'x-github-delivery': lost[0]!.guid } })
  t.match((await facts('comment')).at(-1), { commentId: comment.id, author: 'cyd' })
  t.same(await host.listFailedDeliveries(start), [], 'the failed attempt stays on record')
  t.equal(await host.redeliver(999_999_999), false)
})

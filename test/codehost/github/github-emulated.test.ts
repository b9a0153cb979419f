import pino from 'pino'
import t from 'tap'
import { readDelivery } from '#codehost/github/deliveries.ts'
import { createGitHub } from '#codehost/github/github.ts'
import { verifySignature } from '#codehost/github/signature.ts'
import { commentMarker, pullComment } from '#domain/comments/pull-comment.ts'
import { startEmulator } from '#emulator/emulator.ts'
import { everyCheckRun } from '#test/domain/checks/every-check-run.ts'
import { reports } from '#test/domain/comments/sample-reports.ts'
import { receiverFor } from '#test/emulator/webhooks/receiver.ts'

/* The same client against a GitHub whose answers are held against GitHub's own OpenAPI document. */

const hub = await startEmulator({ dataDir: t.testdir({}) })
t.teardown(() => hub.close())
const repository = await hub.createRepository({
  owner: 'acme',
  name: 'infra',
  files: {
    'svc.yml': 'version: 1\n',
    'net/main.tf': '# grün\n',
    'old/main.tf': 'same text, long enough to be a rename\n',
  },
})
const installation = hub.createInstallation({ account: 'acme', type: 'Organization', repositories: ['infra'] })
const pull = await hub.openPullRequest({
  repo: 'acme/infra',
  branch: 'change/net',
  title: 'Change net',
  author: 'ada',
  changes: { 'net/main.tf': '# blau\n', 'old/main.tf': null, 'new/main.tf': 'same text, long enough to be a rename\n' },
})
const host = createGitHub({
  appId: hub.app.id,
  privateKey: hub.app.privateKey,
  apiUrl: hub.url,
  log: pino({ level: 'silent' }),
  paced: false,
  retryBaseMs: 1,
})
const repo = { installation_id: installation.id, owner: 'acme', name: 'infra' }

t.test('installations and repositories are listed', async (t) => {
  t.match(await host.listInstallations(), [
    {
      id: installation.id,
      accountId: installation.accountId,
      accountLogin: 'acme',
      accountType: 'Organization',
      suspendedAt: null,
    },
  ])
  t.same(await host.listRepositories(installation.id), [
    { id: repository.id, owner: 'acme', name: 'infra', defaultBranch: 'main', archived: false },
  ])
})

t.test('a pull request, its paths and files are read', async (t) => {
  t.match(await host.getPullRequest(repo, pull.number), {
    number: pull.number,
    state: 'open',
    headSha: pull.headSha(),
    headRef: 'change/net',
    headRepoId: repository.id,
    baseSha: await repository.head(),
    baseRef: 'main',
    author: 'ada',
  })
  t.same((await host.listPullRequestPaths(repo, pull.number))?.sort(), ['net/main.tf', 'new/main.tf', 'old/main.tf'])
  t.equal(await host.readFile(repo, 'net/main.tf'), '# grün\n')
  t.equal(await host.readFile(repo, 'net/main.tf', pull.headSha()), '# blau\n')
  t.equal(await host.readFile(repo, 'net'), undefined)
  t.equal(await host.readFile(repo, 'gone.tf'), undefined)
  const exist = async (paths: string[]) => [...(await host.pathsThatExist(repo, pull.headSha(), paths))].sort()
  t.same(await exist(['net/main.tf', 'old', '', 'new']), ['', 'net/main.tf', 'new'], 'a few are asked for one by one')
  t.same(await exist(['net', 'net/main.tf', 'old', 'old/main.tf', 'new', '.']), ['.', 'net', 'net/main.tf', 'new'])
  t.equal(await host.branchHead(repo, 'change/net'), pull.headSha())
  t.equal(await host.branchHead(repo, 'change'), undefined)
  t.equal(await host.getPullRequest(repo, 999), undefined)
})

t.test('all check runs of a run are created, found again and updated', async (t) => {
  const at = (name: string) => everyCheckRun(reports[name]!).map((check) => ({ ...check, headSha: pull.headSha() }))
  for (const check of at('planning')) await host.createCheckRun(repo, check)
  const names = at('planning').map(({ name }) => name)
  const of = (name: string) => host.listCheckRuns(repo, { sha: pull.headSha(), name })
  const made = (await Promise.all(names.map(of))).flat()
  t.same(
    made.map(({ name, externalId }) => `${name} ${externalId}`).sort(),
    at('planning')
      .map(({ name, externalId }) => `${name} ${externalId}`)
      .sort(),
  )
  for (const check of at('superseded')) {
    const found = made.find(({ name, externalId }) => name === check.name && externalId === check.externalId)
    if (found === undefined) await host.createCheckRun(repo, check)
    else t.equal(await host.updateCheckRun(repo, found.id, check), true)
  }
  const now = pull.checkRuns()
  t.equal(now.length, at('superseded').length)
  t.ok(now.every(({ status }) => status === 'completed'))
  t.equal(await host.updateCheckRun(repo, 999_999, at('planned')[0]!), false)
})

t.test('the comment is created once, found, edited, and missed when a person deletes it', async (t) => {
  pull.comment(`${commentMarker}\nforged`, 'mallory')
  t.equal(await host.findComment(repo, pull.number, commentMarker), undefined)
  const id = await host.createComment(repo, pull.number, pullComment(reports.pending!))
  t.equal(await host.findComment(repo, pull.number, commentMarker), id)
  const body = pullComment(reports.planned!)
  t.equal(await host.updateComment(repo, id, body), true)
  t.equal(pull.comments().find((comment) => comment.id === id)?.body, body)
  pull.deleteComment(id)
  t.equal(await host.updateComment(repo, id, body), false)
})

t.test('an issue is opened once, found among pull requests, edited, closed, and missed when it is gone', async (t) => {
  const since = new Date(Date.now() - 60_000)
  const text = { title: 'svc: net drifted', body: '<!-- marker -->\nso' }
  t.equal(await host.findIssue(repo, '<!-- marker -->', since), undefined)
  const made = await host.createIssue(repo, text)
  t.match(made.url, new RegExp(`/acme/infra/issues/${made.number}$`))
  t.same(await host.findIssue(repo, '<!-- marker -->', since), made)
  t.equal(await host.findIssue(repo, 'so', since), undefined, 'it begins otherwise')
  t.equal(await host.findIssue(repo, '<!-- marker -->', new Date(Date.now() + 60_000)), undefined)
  t.same(await host.updateIssue(repo, made.number, { ...text, state: 'closed' }), made)
  const [issue] = repository.issues()
  t.match(issue?.now(), { state: 'closed', stateReason: 'completed' })
  t.equal(await host.updateIssue(repo, 999, { ...text, state: 'open' }), undefined)
  issue?.delete()
  t.equal(await host.updateIssue(repo, made.number, { ...text, state: 'open' }), undefined)
  repository.setIssues(false)
  await t.rejects(host.createIssue(repo, text), { message: /410 Issues has been disabled/ })
  repository.setIssues(true)
})

t.test('what its webhooks say is read from the very bytes that are signed', async (t) => {
  const { url, received } = await receiverFor(t)
  hub.setWebhookUrl(url)
  await pull.push({ 'net/main.tf': '# rot\n' })
  await pull.merge('ada')
  await hub.deliveriesSettled()
  const facts = received.map(({ event, raw, headers }) => {
    const header = String(headers['x-hub-signature-256'])
    t.ok(verifySignature(hub.app.webhookSecret, Buffer.from(raw), header), `${event} is signed`)
    return readDelivery(event, JSON.parse(raw))
  })
  const pulls = facts.filter((fact) => fact.kind === 'pull_request')
  const common = { repoId: repository.id, number: pull.number }
  t.match(pulls, [
    { ...common, mergeCommitSha: null },
    { ...common, mergeCommitSha: await repository.head() },
  ])
  const pushed = facts.filter((fact) => fact.kind === 'push').map(({ ref }) => ref)
  t.ok(pushed.includes('refs/heads/main') && pushed.includes('refs/heads/change/net'), String(pushed))
})

t.test('a suspended installation refuses', async (t) => {
  const other = hub.createInstallation({ account: 'other', type: 'User' })
  other.suspend()
  await t.rejects(host.listRepositories(other.id), { name: 'Refusal', status: 403, message: /gives no token/ })
  t.match(
    (await host.listInstallations()).find(({ id }) => id === other.id),
    { accountType: 'User', suspendedAt: /^\d{4}-/ },
  )
})

t.test('tags, their dates and releases are listed', async (t) => {
  const mods = await hub.createRepository({ owner: 'acme', name: 'mods', files: { 'main.tf': '# one\n' } })
  installation.addRepository('acme/mods')
  const there = { ...repo, name: 'mods' }
  t.same(await host.listTags(there), [])
  t.same(await host.listReleases(there), [])
  const first = await mods.head()
  await mods.pushTags(...Array.from({ length: 101 }, (_, patch) => ({ name: `v0.0.${patch}` })))
  const second = await mods.push({ changes: { 'main.tf': '# two\n' } })
  await mods.pushTags({ name: 'net/v1.0.0', message: 'Net', sha: first }, { name: 'v1.0.0' })
  await mods.publishRelease({ tag: 'v1.0.0' })
  const tags = await host.listTags(there)
  t.equal(tags.length, 103, 'over more than a page')
  const plain = tags.find(({ name }) => name === 'v1.0.0')
  t.same(plain, { name: 'v1.0.0', sha: second })
  const annotated = tags.find(({ name }) => name === 'net/v1.0.0')
  t.match(annotated, { sha: first, object: /^[0-9a-f]{40}$/ })
  t.not(annotated?.object, first, 'its own object')
  for (const tag of [plain, annotated]) {
    const date = await host.dateOfTag(there, tag!)
    t.ok(Math.abs(Date.parse(date ?? '') - Date.now()) < 60_000, `${tag?.name} ${date}`)
  }
  t.equal(await host.dateOfTag(there, { name: 'gone', sha: first, object: '0'.repeat(40) }), undefined)
  t.match(await host.listReleases(there), [{ tag: 'v1.0.0', publishedAt: /Z$/ }])
})

import t from 'tap'
import { receiverFor } from '#test/emulator/webhooks/receiver.ts'
import { asInstallation, hubFor } from '../hub.ts'

/* Changes to repositories and installations while clients rely on them. */

const prepare = async (t: Parameters<typeof hubFor>[0]) => {
  const hub = await hubFor(t)
  const { url, received } = await receiverFor(t)
  const installation = hub.createInstallation({ account: 'acme', type: 'Organization' })
  const repository = await hub.createRepository({ owner: 'acme', name: 'infra', files: { 'a.tf': 'a\n' } })
  await hub.deliveriesSettled()
  hub.setWebhookUrl(url)
  const told = async () => {
    await hub.deliveriesSettled()
    return received.splice(0).filter(({ event }) => event !== 'ping' && event !== 'check_suite')
  }
  return { hub, installation, repository, told, app: await asInstallation(hub, installation.id) }
}

t.test('a rename keeps the id, and redirects from the old name', async (t) => {
  const { repository, app, told } = await prepare(t)
  const { id } = repository
  repository.rename('platform')
  t.equal(repository.fullName, 'acme/platform')
  t.match(await told(), [
    {
      event: 'repository',
      payload: {
        action: 'renamed',
        changes: { repository: { name: { from: 'infra' } } },
        repository: { id, full_name: 'acme/platform' },
      },
    },
  ])
  t.match((await app('GET', '/repos/acme/infra/contents/a.tf')).body, { path: 'a.tf' }, 'followed')
  const check = { name: 'x', head_sha: await repository.head() }
  t.equal((await app('POST', '/repos/ACME/Infra/check-runs', check)).status, 201, 'with its method and body')
  t.equal((await app('GET', '/repos/acme/other')).status, 404)
})

t.test('the new owner’s installation is notified of a transfer, and the old one loses sight of it', async (t) => {
  const { hub, repository, app, told } = await prepare(t)
  const other = hub.createInstallation({ account: 'other', type: 'Organization' })
  await told()
  repository.transfer('other')
  t.match(await told(), [
    {
      event: 'repository',
      payload: {
        action: 'transferred',
        changes: { owner: { from: { organization: { login: 'acme' } } } },
        repository: { id: repository.id, full_name: 'other/infra' },
        installation: { id: other.id },
      },
    },
  ])
  t.equal((await app('GET', '/repos/acme/infra')).status, 404)
  const theirs = await asInstallation(hub, other.id)
  t.match((await theirs('GET', '/repos/other/infra')).body, { id: repository.id })
})

t.test('another default branch', async (t) => {
  const { hub, repository, app, told } = await prepare(t)
  await t.rejects(repository.setDefaultBranch('trunk'))
  await repository.push({ branch: 'trunk', changes: { 'a.tf': 'b\n' } })
  await told()
  await repository.setDefaultBranch('trunk')
  t.match(await told(), [
    { payload: { changes: { default_branch: { from: 'main' } }, repository: { default_branch: 'trunk' } } },
  ])
  t.equal(repository.defaultBranch, 'trunk')
  const raw = { accept: 'application/vnd.github.raw+json' }
  t.equal((await app('GET', '/repos/acme/infra/contents/a.tf', undefined, raw)).text, 'b\n')
  const options = { repo: 'acme/infra', title: 'F', author: 'ann', changes: { 'b.tf': 'b\n' } }
  const pull = await hub.openPullRequest({ ...options, branch: 'f' })
  t.equal(pull.now().baseRef, 'trunk')
  const other = await hub.openPullRequest({ ...options, branch: 'g', base: 'main' })
  t.equal(other.now().baseRef, 'main')
  await told()
  await other.retarget('trunk', 'bob')
  t.match(await told(), [
    {
      payload: {
        action: 'edited',
        changes: { base: { ref: { from: 'main' } } },
        pull_request: { base: { ref: 'trunk', sha: await repository.head() } },
        sender: { login: 'bob' },
      },
    },
  ])
})

t.test('an installation is narrowed, and a repository archived', async (t) => {
  const { hub, installation, repository, told } = await prepare(t)
  t.throws(() => installation.removeRepository('acme/infra'), /not among the chosen repositories/)
  repository.archive(true)
  await hub.createRepository({ owner: 'other', name: 'one' })
  const chosen = hub.createInstallation({ account: 'other', type: 'Organization', repositories: ['one'] })
  const app = await asInstallation(hub, chosen.id)
  t.equal((await app('GET', '/repos/other/one')).status, 200)
  await told()
  chosen.removeRepository('other/one')
  t.match(await told(), [
    { event: 'installation_repositories', payload: { action: 'removed', repositories_removed: [{ name: 'one' }] } },
  ])
  t.equal((await app('GET', '/repos/other/one')).status, 404)
})

t.test('the next token may do what an owner grants', async (t) => {
  const { hub, installation, app, told } = await prepare(t)
  installation.setPermissions({ metadata: 'read' })
  t.match(await told(), [{ payload: { action: 'new_permissions_accepted', installation: { id: installation.id } } }])
  t.equal((await app('GET', '/repos/acme/infra/contents/a.tf')).status, 200, 'an old token keeps its permissions')
  const now = await asInstallation(hub, installation.id)
  t.equal((await now('GET', '/repos/acme/infra/contents/a.tf')).status, 403)
})

t.test('bots are recognised by their login', async (t) => {
  const { hub, told } = await prepare(t)
  const pull = await hub.openPullRequest({
    ...{ repo: 'acme/infra', branch: 'bump', title: 'Bump', author: 'renovate[bot]' },
    changes: { 'a.tf': 'b\n' },
  })
  pull.comment('svc plan')
  const comment = (await told()).find(({ event }) => event === 'issue_comment')
  t.match(comment?.payload, { comment: { user: { login: 'renovate[bot]', type: 'Bot' } }, sender: { type: 'Bot' } })
})

import t from 'tap'
import { asInstallation, hubFor } from '../hub.ts'
import { type Received, receiverFor } from './receiver.ts'
import { differences } from './webhook-shapes.ts'

/*
 * Holds every kind of webhook the emulator sends against GitHub's published examples: a key of ours must be in some example
 * of the same event with the same type, and the keys that a consumer reads must be in ours.
 */

const hub = await hubFor(t)
const { url, received } = await receiverFor(t)
hub.setWebhookUrl(url)
await hub.createRepository({ owner: 'acme', name: 'old' })
const installation = hub.createInstallation({ account: 'acme', type: 'Organization' })
await hub.createRepository({ owner: 'acme', name: 'infra', files: { 'a.tf': 'a\n', 'b.tf': 'b\n' } })
const pull = await hub.openPullRequest({
  repo: 'acme/infra',
  branch: 'change',
  title: 'Change',
  author: 'ann',
  changes: { 'a.tf': 'A\n', 'b.tf': null, 'c.tf': 'c\n' },
})
const run = await pull.playWorkflowRun({ path: '.github/workflows/svc-plan.yml' })
run.job('resolve').complete('success')
run.complete('success')
await pull.push({ 'c.tf': 'C\n' })
const said = pull.comment('svc plan')
pull.editComment(said.id, 'svc plan -- now')
pull.deleteComment(said.id)
pull.dismissReview(pull.review('bob', 'approve', 'Ship it').id, 'ann')
pull.review('carl', 'comment')
await pull.setDraft(true)
await pull.setDraft(false)
await hub.createRepository({
  owner: 'acme',
  name: 'runs',
  files: { '.github/workflows/svc-run.yml': 'on: workflow_dispatch\njobs: {}\n' },
})
const app = await asInstallation(hub, installation.id)
const check = {
  name: 'svc/plan',
  head_sha: pull.headSha(),
  conclusion: 'success',
  output: { title: 't', summary: 's' },
}
await app('POST', '/repos/acme/infra/check-runs', check)
await app('POST', `/repos/acme/infra/issues/${pull.number}/comments`, { body: 'planned' })
const [made] = pull.checkRuns()
pull.rerequestCheck(made!.id, 'bob')
pull.requestCheckAction(made!.id, 'plan', 'bob')
await pull.rerequestChecks('bob')
await app('POST', '/repos/acme/runs/actions/workflows/svc-run.yml/dispatches', {
  ref: 'main',
  return_run_details: true,
})
const tagged = await hub.createRepository({ owner: 'acme', name: 'tagged', files: { 'a.tf': 'a\n' } })
await tagged.pushTags({ name: 'v1.0.0', by: 'ann' }, { name: 'v1.1.0', message: 'More' })
await tagged.deleteTag('v1.0.0')
await tagged.publishRelease({ tag: 'v1.1.0', by: 'ann' })
const changing = await hub.createRepository({ owner: 'acme', name: 'changing' })
await changing.push({ branch: 'trunk', changes: { 'a.tf': 'a\n' } })
await changing.setDefaultBranch('trunk')
changing.rename('changed')
changing.archive(true)
changing.archive(false)
await hub.createRepository({ owner: 'other', name: 'given' }).then((given) => given.transfer('acme'))
for (const name of ['one', 'two']) await hub.createRepository({ owner: 'other', name })
const chosen = hub.createInstallation({ account: 'other', type: 'Organization', repositories: ['two'] })
chosen.addRepository('other/one')
chosen.removeRepository('other/one')
await pull.close()
await pull.reopen('bob')
await (await pull.enqueue()).giveUp()
await pull.merge('bob')
installation.setPermissions({ metadata: 'read', contents: 'read' })
installation.suspend()
installation.unsuspend()
installation.uninstall()
await hub.deliveriesSettled()

/** The fields that a service reads of each event (GitHub Docs, 'Webhook events and payloads'). */
const read: Record<string, string[]> = {
  ping: ['zen', 'hook_id', 'hook.app_id', 'hook.events', 'hook.config.content_type'],
  'installation created': [
    'installation.id',
    'installation.account.login',
    'installation.account.id',
    'installation.account.type',
    'installation.repository_selection',
    'installation.permissions.checks',
    'installation.events',
    'installation.suspended_at',
    'repositories.0.id',
    'repositories.0.full_name',
  ],
  'installation new_permissions_accepted': ['installation.id', 'installation.permissions.contents'],
  'installation suspend': ['installation.id', 'installation.suspended_at', 'sender.login'],
  'installation unsuspend': ['installation.id', 'installation.suspended_at'],
  'installation deleted': ['installation.id', 'installation.account.login'],
  'installation_repositories added': [
    'installation.id',
    'repository_selection',
    'repositories_added.0.id',
    'repositories_added.0.full_name',
    'repositories_removed',
  ],
  'installation_repositories removed': ['repositories_removed.0.id', 'repositories_removed.0.full_name'],
  'repository edited': ['changes.default_branch.from', 'repository.id', 'repository.default_branch', 'installation.id'],
  'repository renamed': ['changes.repository.name.from', 'repository.id', 'repository.full_name'],
  'repository transferred': ['changes.owner.from.organization.login', 'repository.id', 'installation.id'],
  'repository archived': ['repository.archived'],
  'repository unarchived': ['repository.archived'],
  'pull_request opened': [
    'number',
    'pull_request.head.sha',
    'pull_request.head.ref',
    'pull_request.head.repo.id',
    'pull_request.base.ref',
    'pull_request.base.sha',
    'pull_request.base.repo.id',
    'pull_request.draft',
    'pull_request.user.login',
    'pull_request.mergeable',
    'repository.id',
    'repository.default_branch',
    'repository.owner.login',
    'installation.id',
    'sender.login',
    'sender.type',
  ],
  'pull_request synchronize': ['before', 'after', 'pull_request.head.sha'],
  'pull_request reopened': ['pull_request.state', 'sender.login'],
  'merge_group checks_requested': [
    'merge_group.head_sha',
    'merge_group.head_ref',
    'merge_group.base_sha',
    'repository.id',
  ],
  'merge_group destroyed': ['merge_group.head_sha', 'merge_group.head_ref'],
  'pull_request closed': ['pull_request.merged', 'pull_request.merge_commit_sha', 'pull_request.base.ref'],
  push: [
    'ref',
    'before',
    'after',
    'created',
    'deleted',
    'forced',
    'head_commit.id',
    'commits.0.added',
    'commits.0.removed',
    'commits.0.modified',
    'installation.id',
  ],
  'push of a tag': ['ref', 'before', 'after', 'created', 'deleted', 'commits', 'repository.id', 'installation.id'],
  create: ['ref', 'ref_type', 'master_branch', 'repository.id', 'installation.id'],
  delete: ['ref', 'ref_type', 'repository.id', 'installation.id'],
  'release published': [
    'release.tag_name',
    'release.draft',
    'release.prerelease',
    'release.published_at',
    'installation.id',
  ],
  'check_suite requested': ['check_suite.head_sha', 'check_suite.head_branch', 'check_suite.app.id', 'installation.id'],
  'check_run created': ['check_run.id', 'check_run.external_id', 'check_run.app.id', 'check_run.check_suite.id'],
  'check_run completed': ['check_run.name', 'check_run.head_sha', 'check_run.conclusion', 'check_run.pull_requests'],
  'issue_comment created': [
    'issue.number',
    'issue.pull_request.url',
    'issue.state',
    'comment.id',
    'comment.body',
    'comment.user.login',
    'comment.user.type',
    'comment.author_association',
    'comment.performed_via_github_app',
  ],
  'issue_comment edited': ['comment.id', 'comment.body', 'changes.body.from'],
  'issue_comment deleted': ['comment.id', 'issue.number'],
  'pull_request_review submitted': [
    'review.id',
    'review.state',
    'review.commit_id',
    'review.user.login',
    'pull_request.number',
    'pull_request.head.sha',
    'sender.login',
    'installation.id',
  ],
  'pull_request_review dismissed': ['review.id', 'review.state', 'review.commit_id', 'sender.login'],
  'pull_request converted_to_draft': ['pull_request.draft'],
  'pull_request ready_for_review': ['pull_request.draft'],
  'check_run rerequested': [
    'check_run.id',
    'check_run.name',
    'check_run.head_sha',
    'check_run.external_id',
    'check_run.app.id',
    'check_run.check_suite.id',
    'check_run.pull_requests.0.number',
    'sender.login',
  ],
  'check_run requested_action': ['check_run.id', 'check_run.external_id', 'requested_action.identifier'],
  'check_suite rerequested': [
    'check_suite.head_sha',
    'check_suite.head_branch',
    'check_suite.pull_requests.0.number',
    'check_suite.app.id',
  ],
  'workflow_run requested': [
    'workflow_run.id',
    'workflow_run.event',
    'workflow_run.display_title',
    'workflow_run.path',
    'workflow_run.head_sha',
    'workflow_run.head_branch',
    'workflow_run.run_attempt',
    'workflow_run.status',
    'workflow_run.html_url',
    'workflow.path',
  ],
  'workflow_run in_progress': ['workflow_run.id', 'workflow_run.status'],
  'workflow_run completed': ['workflow_run.id', 'workflow_run.conclusion'],
  'workflow_job in_progress': [
    'workflow_job.id',
    'workflow_job.run_id',
    'workflow_job.run_attempt',
    'workflow_job.name',
    'workflow_job.status',
    'workflow_job.html_url',
    'workflow_job.labels',
  ],
  'workflow_job completed': ['workflow_job.id', 'workflow_job.conclusion'],
}

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], value)

const named = ({ event, payload }: Received): string =>
  event === 'push' && String(payload.ref).startsWith('refs/tags/')
    ? 'push of a tag'
    : [event, payload.action].filter(Boolean).join(' ')

t.test('every key of a payload is as in GitHub’s examples', async (t) => {
  const found = new Set(received.flatMap(differences))
  t.strictSame([...found].sort(), [])
})

for (const [name, paths] of Object.entries(read)) {
  t.test(`${name} has the keys its consumers read`, async (t) => {
    const payloads = received.filter((one) => named(one) === name)
    t.not(payloads.length, 0, 'was sent')
    for (const { payload } of payloads) {
      t.strictSame(
        paths.filter((path) => at(payload, path) === undefined),
        [],
      )
    }
  })
}

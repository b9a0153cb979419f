import t from 'tap'
import { receiverFor } from '#test/emulator/webhooks/receiver.ts'
import { asInstallation, hubFor } from '../hub.ts'

/* People and what they do: permissions, teams, reviews, reactions, protections, forks. */

const prepare = async (t: Parameters<typeof hubFor>[0], options = {}) => {
  const hub = await hubFor(t)
  const { url, received } = await receiverFor(t)
  hub.setWebhookUrl(url)
  const { id } = hub.createInstallation({ account: 'acme', type: 'Organization' })
  const files = { 'a.tf': 'a\n', '.github/CODEOWNERS': '* @acme/ops\n' }
  const repository = await hub.createRepository({ owner: 'acme', name: 'infra', files, ...options })
  const open = (more = {}) =>
    hub.openPullRequest({
      repo: 'acme/infra',
      branch: 'change',
      title: 'Change',
      author: 'ann',
      changes: { 'a.tf': 'b\n' },
      ...more,
    })
  const app = await asInstallation(hub, id)
  const show = async (path: string) => app('GET', path.startsWith('/') ? path : `/repos/acme/infra/${path}`)
  const told = async (wanted: string) => {
    await hub.deliveriesSettled()
    return received.splice(0).filter(({ event }) => event === wanted)
  }
  return { hub, repository, open, app, show, told }
}

t.test('permissions: by name, by team, by ownership, by nothing', async (t) => {
  const { hub, repository, show } = await prepare(t)
  const acme = hub.organization('acme')
  acme.addMember('olga', 'owner')
  acme.addMember('mia')
  acme.team('ops').grant('infra', 'maintain')
  acme.team('ops').add('tom')
  acme.team('ops').add('pam', 'pending')
  repository.setPermission('ann', 'write')
  repository.setPermission('rob', 'triage')
  acme.team('ops').add('rob')
  acme.team('ops').add('gone')
  repository.setPermission('gone', 'none')
  const cases: [login: string, role: string, permission: string, push: boolean][] = [
    ['ann', 'write', 'write', true],
    ['ANN', 'write', 'write', true],
    ['olga', 'admin', 'admin', true],
    ['mia', 'none', 'none', false],
    ['tom', 'maintain', 'write', true],
    ['pam', 'none', 'none', false],
    ['rob', 'maintain', 'write', true],
    ['gone', 'none', 'none', false],
  ]
  for (const [login, role_name, permission, push] of cases) {
    const { body } = await show(`collaborators/${login}/permission`)
    t.match(body, { permission, role_name, user: { permissions: { push } } }, login)
  }
  repository.setPermission('tri', 'triage')
  t.match((await show('collaborators/tri/permission')).body, { permission: 'read', role_name: 'triage' })
  t.equal((await show('collaborators/unheard-of/permission')).status, 404)
})

t.test('everybody reads a public repository', async (t) => {
  const { hub, show } = await prepare(t, { private: false })
  hub.organization('acme').addMember('mia')
  t.match((await show('collaborators/mia/permission')).body, { permission: 'read' })
})

t.test('teams and members, as the organisation’s installation sees them', async (t) => {
  const { hub, show } = await prepare(t)
  const acme = hub.organization('acme')
  const ops = acme.team('ops')
  ops.add('tom')
  ops.add('pam', 'pending')
  const membership = async (login: string, team = 'ops') =>
    show(`/orgs/acme/teams/${team}/memberships/${login}`).then(({ status, body }) =>
      status === 200 ? (body as { state: string }).state : status,
    )
  t.strictSame(
    [await membership('tom'), await membership('pam'), await membership('ann'), await membership('tom', 'none')],
    ['active', 'pending', 404, 404],
  )
  t.match((await show('/orgs/acme/teams/OPS')).body, { slug: 'ops', members_count: 1 })
  const member = async (login: string) => (await show(`/orgs/acme/members/${login}`)).status
  t.strictSame([await member('tom'), await member('pam'), await member('ann')], [204, 404, 404])
  ops.remove('tom')
  t.strictSame([await membership('tom'), await member('tom')], [404, 204], 'still in the organisation')
  ops.add('tom')
  acme.removeMember('tom')
  t.strictSame([await membership('tom'), await member('tom')], [404, 404])
  const { id } = hub.createInstallation({ account: 'other', type: 'Organization' })
  const other = await asInstallation(hub, id)
  t.equal((await other('GET', '/orgs/acme/teams/ops')).status, 404, 'other organisations see nothing')
})

t.test('without members:read teams are out of sight', async (t) => {
  const hub = await hubFor(t)
  const { id } = hub.createInstallation({ account: 'acme', type: 'Organization', permissions: { metadata: 'read' } })
  hub.organization('acme').team('ops').add('tom')
  const app = await asInstallation(hub, id)
  t.equal((await app('GET', '/orgs/acme/teams/ops/memberships/tom')).status, 403)
})

t.test('a review is of a commit; a dismissal rewrites it', async (t) => {
  const { open, show, told } = await prepare(t)
  const pull = await open()
  const first = pull.headSha()
  const approval = pull.review('bob', 'approve')
  await pull.push({ 'a.tf': 'c\n' })
  pull.review('carl', 'request_changes', 'No')
  pull.review('ann', 'comment', 'Why?')
  t.throws(() => pull.review('ann', 'approve'), /ann cannot approve their own/)
  pull.dismissReview(approval.id, 'carl')
  t.throws(() => pull.dismissReview(approval.id, 'carl'), /nothing to dismiss/)
  t.match((await show(`pulls/${pull.number}/reviews`)).body, [
    { user: { login: 'bob' }, state: 'DISMISSED', commit_id: first },
    { user: { login: 'carl' }, state: 'CHANGES_REQUESTED', commit_id: pull.headSha(), body: 'No' },
    { user: { login: 'ann' }, state: 'COMMENTED' },
  ])
  t.match(
    (await told('pull_request_review')).map(({ payload }) => payload),
    [
      { action: 'submitted', review: { state: 'approved', commit_id: first }, sender: { login: 'bob' } },
      { action: 'submitted', review: { state: 'changes_requested' }, sender: { login: 'carl' } },
      { action: 'submitted', review: { state: 'commented' } },
      { action: 'dismissed', review: { state: 'dismissed' }, sender: { login: 'carl' } },
    ],
  )
})

t.test('comments are written, edited and deleted by people, and each time an event is sent', async (t) => {
  const { open, told } = await prepare(t)
  const pull = await open()
  const comment = pull.comment('svc plan', 'bob')
  pull.editComment(comment.id, 'svc apply', 'bob')
  pull.deleteComment(comment.id, 'carl')
  t.match(
    (await told('issue_comment')).map(({ payload }) => payload),
    [
      { action: 'created', comment: { body: 'svc plan', user: { login: 'bob', type: 'User' } } },
      { action: 'edited', comment: { body: 'svc apply' }, changes: { body: { from: 'svc plan' } } },
      { action: 'deleted', sender: { login: 'carl' } },
    ],
  )
})

t.test('reactions: once each, counted, gone with the comment', async (t) => {
  const { open, app, show } = await prepare(t)
  const pull = await open()
  const comment = pull.comment('svc apply')
  const path = `/repos/acme/infra/issues/comments/${comment.id}/reactions`
  const react = async (content: string) => (await app('POST', path, { content })).status
  t.strictSame([await react('eyes'), await react('eyes'), await react('rocket')], [201, 200, 201])
  t.strictSame(pull.reactions(comment.id), [
    { by: 'svc[bot]', content: 'eyes' },
    { by: 'svc[bot]', content: 'rocket' },
  ])
  t.match((await show(`issues/comments/${comment.id}`)).body, { reactions: { total_count: 2, eyes: 1, rocket: 1 } })
  t.match((await show(`${path}?content=rocket`)).body, [{ content: 'rocket', user: { login: 'svc[bot]' } }])
  pull.deleteComment(comment.id)
  t.equal((await app('GET', path)).status, 404)
})

t.test('the obstacles between a pull request and its merge', async (t) => {
  const { repository, open, app, show } = await prepare(t)
  const pull = await open({ draft: true })
  const state = async () => ((await show(`pulls/${pull.number}`)).body as { mergeable_state: string }).mergeable_state
  const check = async (name: string, conclusion: string) => {
    const output = { title: 't', summary: 's' }
    await app('POST', '/repos/acme/infra/check-runs', { name, head_sha: pull.headSha(), conclusion, output })
  }
  t.equal(await state(), 'draft')
  await pull.setDraft(false)
  t.equal(await state(), 'clean')
  await check('svc/plan', 'failure')
  t.equal(await state(), 'unstable', 'a check that is not required')
  repository.protect({ checks: ['svc/plan'] })
  t.equal(await state(), 'blocked', 'and once it is required')
  await check('svc/plan', 'success')
  t.equal(await state(), 'clean')
  repository.protect({ approvals: 1 })
  repository.setPermission('bob', 'write')
  pull.review('eve', 'approve')
  t.equal(await state(), 'blocked', 'an approval without write access')
  pull.review('bob', 'approve')
  t.equal(await state(), 'clean')
  repository.protect({ upToDate: true })
  await repository.push({ changes: { 'b.tf': 'b\n' } })
  t.equal(await state(), 'behind')
  await repository.push({ changes: { 'a.tf': 'other\n' } })
  t.equal(await state(), 'dirty')
})

t.test('mergeability is computed again after either branch has moved', async (t) => {
  const hub = await hubFor(t, { unknownMergeableAnswers: 1 })
  const { id } = hub.createInstallation({ account: 'acme', type: 'Organization' })
  const repository = await hub.createRepository({ owner: 'acme', name: 'infra', files: { 'a.tf': 'a\n' } })
  const app = await asInstallation(hub, id)
  const pull = await hub.openPullRequest({
    ...{ repo: 'acme/infra', branch: 'change', title: 'Change', author: 'ann' },
    changes: { 'a.tf': 'b\n' },
  })
  const mergeable = async () =>
    ((await app('GET', `/repos/acme/infra/pulls/${pull.number}`)).body as { mergeable: unknown }).mergeable
  t.strictSame([await mergeable(), await mergeable(), await mergeable()], [null, true, true])
  await repository.push({ changes: { 'a.tf': 'c\n' } })
  t.strictSame([await mergeable(), await mergeable()], [null, false])
})

t.test('a person asks for a check again, or for all, or presses its button', async (t) => {
  const { open, app, told } = await prepare(t)
  const pull = await open()
  const output = { title: 't', summary: 's' }
  const check = { name: 'svc/plan', head_sha: pull.headSha(), external_id: 'run-1', conclusion: 'failure', output }
  await app('POST', '/repos/acme/infra/check-runs', check)
  await told('check_run')
  const [made] = pull.checkRuns()
  pull.rerequestCheck(made!.id, 'bob')
  pull.requestCheckAction(made!.id, 'apply', 'bob')
  t.match(
    (await told('check_run')).map(({ payload }) => payload),
    [
      { action: 'rerequested', check_run: { external_id: 'run-1', status: 'completed' }, sender: { login: 'bob' } },
      { action: 'requested_action', requested_action: { identifier: 'apply' } },
    ],
  )
  await pull.rerequestChecks('bob')
  t.match(
    (await told('check_suite')).map(({ payload }) => payload),
    [{ action: 'rerequested', check_suite: { head_sha: pull.headSha(), pull_requests: [{ number: pull.number }] } }],
  )
})

t.test('a pull request from a fork', async (t) => {
  const { hub, repository, open, show, told } = await prepare(t)
  const pull = await open({ author: 'eve', fork: true })
  const body = async () => (await show(`pulls/${pull.number}`)).body as Record<string, never>
  t.match(await body(), {
    head: { label: 'eve:change', sha: pull.headSha(), repo: { full_name: 'eve/infra' } },
    base: { repo: { id: repository.id } },
    mergeable: true,
    changed_files: 1,
  })
  const opened = await told('pull_request')
  const { head, base } = opened[0]!.payload.pull_request as Record<string, { repo: { id: number } }>
  t.not(head?.repo.id, base?.repo.id)
  await t.rejects(repository.head('change'), /no branch change/, 'the branch is in the fork')
  const first = pull.headSha()
  await pull.push({ 'a.tf': 'c\n' })
  t.match((await told('pull_request')).at(-1)?.payload, { action: 'synchronize', before: first, after: pull.headSha() })
  t.match((await show('pulls?head=eve:change')).body, [{ number: pull.number }])
  t.strictSame((await show('pulls?head=acme:change')).body, [])

  const run = await pull.playWorkflowRun()
  t.match((await show(`actions/runs/${run.id}`)).body, {
    pull_requests: [],
    head_repository: { full_name: 'eve/infra' },
    repository: { full_name: 'acme/infra' },
  })
  pull.deleteFork()
  t.match(await body(), { head: { repo: null, sha: pull.headSha() } })
  await t.rejects(pull.push({ 'a.tf': 'd\n' }), /was deleted/)
  const merged = await pull.merge('bob')
  t.equal(await repository.head(), merged)
  const second = await hub.openPullRequest({
    ...{ repo: 'acme/infra', branch: 'again', title: 'Again', author: 'eve', fork: true },
    changes: { 'a.tf': 'e\n' },
  })
  t.match((await show(`pulls/${second.number}`)).body, { mergeable: true, changed_files: 1 }, 'on top of the merge')
})

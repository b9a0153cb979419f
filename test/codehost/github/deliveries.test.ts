import { createRequire } from 'node:module'
import t from 'tap'
import type { Fact } from '#codehost/fact.ts'
import { readDelivery } from '#codehost/github/deliveries.ts'

type Examples = { name: string; examples: Record<string, unknown>[] }[]
const require = createRequire(import.meta.url)
const events = require('@octokit/webhooks-examples/api.github.com/index.json') as Examples
const examplesOf = (event: string) => events.find(({ name }) => name === event)!.examples

/** The kind of fact that each published event and action yields; those with other actions are ignored. */
const handled: [event: string, actions: string[], kind: string][] = [
  [
    'pull_request',
    ['opened', 'reopened', 'synchronize', 'edited', 'closed', 'ready_for_review', 'converted_to_draft'],
    'pull_request',
  ],
  ['installation', ['created', 'deleted', 'suspend', 'unsuspend', 'new_permissions_accepted'], 'installations'],
  ['installation_repositories', ['added', 'removed'], 'installations'],
  [
    'repository',
    ['created', 'renamed', 'transferred', 'edited', 'archived', 'unarchived', 'privatized', 'publicized', 'deleted'],
    'installations',
  ],
  // Published comments are all on issues, and published re-requests of check runs have no external id.
  ['issue_comment', ['created'], 'ignored'],
  ['check_run', ['rerequested'], 'ignored'],
  ['check_suite', ['rerequested'], 'rerequest'],
  ['workflow_run', ['requested', 'in_progress', 'completed'], 'workflow_run'],
  ['create', ['undefined'], 'tag'],
  ['delete', ['undefined'], 'tag'],
  ['release', ['published', 'edited', 'deleted'], 'tag'],
  ['github_app_authorization', ['revoked'], 'revoked'],
  ['ping', [], 'ignored'],
  ['pull_request_review', [], 'ignored'],
  ['workflow_job', [], 'ignored'],
]

for (const [event, actions, kind] of handled) {
  t.test(`every published ${event} is read, and ignored only for its action`, async (t) => {
    for (const [at, example] of examplesOf(event).entries()) {
      const fact = readDelivery(event, example)
      const wanted = actions.includes(String(example.action))
      const name = `${event} ${example.action} (example ${at}): ${JSON.stringify(fact)}`
      t.equal(fact.kind, wanted ? kind : 'ignored', name)
      if (!wanted)
        t.match(fact, { reason: new RegExp(`^nothing follows from ${event}( ${example.action})?(:|$)`) }, name)
    }
  })
}

t.test('every published push is of a branch or of a tag', async (t) => {
  const kinds = examplesOf('push').map((example) => [String(example.ref), readDelivery('push', example).kind] as const)
  t.equal(kinds.length, 7)
  for (const [ref, kind] of kinds) t.equal(kind, ref.startsWith('refs/tags/') ? 'tag' : 'push', ref)
})

t.test('no published payload of any event throws, whatever event it claims to be', async (t) => {
  const payloads = events.flatMap(({ examples }) => examples)
  const facts = payloads.flatMap((payload) => handled.map(([event]) => readDelivery(event, payload)))
  t.equal(facts.filter(({ kind }) => typeof kind === 'string').length, payloads.length * handled.length)
  t.same(readDelivery('star', {}), { kind: 'ignored', reason: 'nothing follows from star' })
})

const first = (event: string, match: (example: Record<string, unknown>) => boolean): Record<string, unknown> =>
  examplesOf(event).find(match)!
const read = (event: string, match: (example: Record<string, unknown>) => boolean): Fact =>
  readDelivery(event, first(event, match))

t.test('a pull request says which one it is', async (t) => {
  t.same(
    read('pull_request', (one) => one.action === 'synchronize'),
    { kind: 'pull_request', repoId: 186853002, number: 2, mergeCommitSha: null },
  )
})

t.test('a merged pull request says its merge commit; one that is closed without has none to say', async (t) => {
  const closed = first('pull_request', (one) => one.action === 'closed')
  const ended = (merged: boolean) => ({ ...closed, pull_request: { merged, merge_commit_sha: 'abc' } })
  t.match(readDelivery('pull_request', ended(true)), { mergeCommitSha: 'abc' })
  t.match(readDelivery('pull_request', ended(false)), { mergeCommitSha: null })
})

t.test('a missing field is named, not guessed', async (t) => {
  const opened = structuredClone(first('pull_request', (one) => one.action === 'opened'))
  delete opened.number
  t.match(readDelivery('pull_request', opened), { kind: 'ignored', reason: /^number: /, isUnreadable: true })
  t.match(readDelivery('push', null), { kind: 'ignored', reason: /^the payload: /, isUnreadable: true })
})

t.test('a push of a branch names its full ref; a push of a tag is of a tag', async (t) => {
  const tagged = first('push', (one) => one.ref === 'refs/tags/simple-tag')
  t.same(readDelivery('push', tagged), { kind: 'tag', repoId: 186853002 })
  const ref = 'refs/heads/refs/tags/x'
  t.same(readDelivery('push', { ...tagged, ref }), { kind: 'push', repoId: 186853002, ref, deleted: false })
})

const tags: [event: string, payload: Record<string, unknown>, isOfTag: boolean][] = [
  ['create', { ref: 'v1', ref_type: 'tag' }, true],
  ['delete', { ref: 'net/v2', ref_type: 'tag' }, true],
  ['create', { ref: 'main', ref_type: 'branch' }, false],
  ['create', { ref: null, ref_type: 'repository' }, false],
  ['delete', { ref: 'main', ref_type: 'branch' }, false],
  ['release', { action: 'published', release: { tag_name: 'v3' } }, true],
  ['release', { action: 'deleted', release: { tag_name: 'v3' } }, true],
  ['release', { action: 'created', release: { tag_name: 'v3' } }, false],
  ['push', { ref: 'refs/tags/a/b', before: 'f', after: '0', deleted: true }, true],
]

t.test('every event about a tag says its repository, and no other event is about one', async (t) => {
  for (const [event, payload, isOfTag] of tags) {
    const fact = readDelivery(event, { repository: { id: 9, default_branch: 'main' }, ...payload })
    if (isOfTag) t.same(fact, { kind: 'tag', repoId: 9 }, JSON.stringify(payload))
    else t.equal(fact.kind, 'ignored', JSON.stringify(payload))
  }
})

const comment = {
  action: 'created',
  repository: { id: 9 },
  installation: { id: 4 },
  issue: { number: 3, pull_request: { url: 'https://api.github.com/repos/octo/infra/pulls/3' } },
  comment: {
    id: 77,
    body: 'svc apply',
    user: { id: 5, login: 'ada', type: 'User' },
    created_at: '2026-11-21T16:00:00Z',
  },
}

t.test("a person's new comment on a pull request is read, even through an app", async (t) => {
  const writtenAt = comment.comment.created_at
  const read = { repoId: 9, number: 3, commentId: 77, author: 'ada', authorId: 5, body: 'svc apply', writtenAt }
  t.same(readDelivery('issue_comment', comment), { kind: 'comment', ...read })
  const through = { ...comment, comment: { ...comment.comment, performed_via_github_app: { id: 8 } } }
  t.same(readDelivery('issue_comment', through), { kind: 'comment', ...read })
})

const uncommanding: [why: RegExp, changes: Record<string, unknown>][] = [
  [/not on a pull request/, { issue: { number: 3 } }],
  [/by a Bot/, { comment: { ...comment.comment, user: { id: 6, login: 'svc[bot]', type: 'Bot' } } }],
  [/by a Mannequin/, { comment: { ...comment.comment, user: { id: 7, login: 'old', type: 'Mannequin' } } }],
  [/author is gone/, { comment: { ...comment.comment, user: null } }],
  [/issue_comment edited: only a new comment/, { action: 'edited' }],
  [/issue_comment deleted: only a new comment/, { action: 'deleted' }],
]

t.test('any other comment is no command', async (t) => {
  for (const [reason, changes] of uncommanding) {
    t.match(readDelivery('issue_comment', { ...comment, ...changes }), { kind: 'ignored', reason })
  }
})

t.test('a re-requested check run says its external id; a suite says only its commit', async (t) => {
  const asked = {
    repository: { id: 9 },
    installation: { id: 4 },
    sender: { id: 5, login: 'ada' },
    action: 'rerequested',
  }
  const rerequest = { kind: 'rerequest', repoId: 9, sha: 'c1', actor: 'ada', accountId: 5 }
  const run = (external_id: string | null) => ({ ...asked, check_run: { head_sha: 'c1', external_id } })
  t.same(readDelivery('check_run', run('run-1/stack-2')), { ...rerequest, externalId: 'run-1/stack-2' })
  t.match(readDelivery('check_run', run('')), { kind: 'ignored', reason: /not one of ours/ })
  t.match(readDelivery('check_run', run(null)), { kind: 'ignored', reason: /not one of ours/ })
  t.same(readDelivery('check_suite', { ...asked, check_suite: { head_sha: 'c1' } }), rerequest)
  for (const [event, action, why] of [
    ['check_run', 'requested_action', 'no buttons are offered'],
    ['check_suite', 'requested', 'every push makes one'],
  ] as const) {
    t.same(readDelivery(event, { ...asked, action }), {
      kind: 'ignored',
      reason: `nothing follows from ${event} ${action}: ${why}`,
    })
  }
})

t.test('a workflow run says its file without a ref, wherever the payload has it', async (t) => {
  const path = '.github/workflows/svc-run.yml'
  const run = { id: 31, event: 'workflow_dispatch' }
  const told = { action: 'in_progress', repository: { id: 9 }, workflow: null }
  const event = 'workflow_dispatch'
  const fact = { kind: 'workflow_run', action: 'in_progress', repoId: 9, workflowRunId: 31, event, path }
  t.same(readDelivery('workflow_run', { ...told, workflow_run: { ...run, path: `${path}@refs/heads/main` } }), fact)
  t.same(readDelivery('workflow_run', { ...told, workflow_run: run, workflow: { path } }), fact)
  t.match(readDelivery('workflow_run', { ...told, workflow_run: run }), { kind: 'ignored', reason: /has a path/ })
})

t.test('an account with a new name changes what its repositories are called; an enterprise has none', async (t) => {
  const renamed = { action: 'renamed', installation: { id: 4 }, account: { id: 11, login: 'octo-new' } }
  t.same(readDelivery('installation_target', renamed), { kind: 'installations' })
  const enterprise = { ...renamed, account: { id: 11, slug: 'octo-new' } }
  t.match(readDelivery('installation_target', enterprise), { kind: 'ignored', reason: /enterprise/ })
})

t.test('news of repositories names its installation; that of a transfer concerns two', async (t) => {
  const installation = { id: 4 }
  const of4 = { kind: 'installations', installationId: 4 }
  t.same(readDelivery('repository', { action: 'renamed', installation }), of4)
  t.same(readDelivery('installation_repositories', { action: 'removed', installation }), of4)
  t.same(readDelivery('repository', { action: 'transferred', installation }), { kind: 'installations' })
  t.same(readDelivery('repository', { action: 'created' }), { kind: 'installations' })
  t.same(readDelivery('installation', { action: 'created', installation }), { kind: 'installations' })
})

t.test('a person who withdraws their authorisation is named', async (t) => {
  t.same(
    read('github_app_authorization', () => true),
    { kind: 'revoked', accountId: 1, login: 'octocat' },
  )
})

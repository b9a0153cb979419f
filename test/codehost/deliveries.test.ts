import { createRequire } from 'node:module'
import t from 'tap'
import type { Fact } from '#codehost/fact.ts'
import { readDelivery } from '#codehost/github/deliveries.ts'

type Examples = { name: string; examples: Record<string, unknown>[] }[]
const require = createRequire(import.meta.url)
const events = require('@octokit/webhooks-examples/api.github.com/index.json') as Examples
const examplesOf = (event: string) => events.find(({ name }) => name === event)!.examples

/** The kind of fact that a published payload of an event and action comes to; those with other actions are ignored. */
const handled: [event: string, actions: string[], kind: string][] = [
  [
    'pull_request',
    ['opened', 'reopened', 'synchronize', 'edited', 'closed', 'ready_for_review', 'converted_to_draft'],
    'pull_request',
  ],
  ['installation', ['created', 'deleted', 'suspend', 'unsuspend', 'new_permissions_accepted'], 'installation'],
  ['installation_repositories', ['added', 'removed'], 'installation_repositories'],
  [
    'repository',
    ['created', 'renamed', 'transferred', 'edited', 'archived', 'unarchived', 'privatized', 'publicized', 'deleted'],
    'repository',
  ],
  // Published examples of comments are all on issues, and those of re-requested check runs have no external id.
  ['issue_comment', ['created'], 'ignored'],
  ['check_run', ['rerequested'], 'ignored'],
  ['check_suite', ['rerequested'], 'rerequest'],
  ['workflow_run', ['requested', 'in_progress', 'completed'], 'workflow_run'],
  ['create', ['undefined'], 'tag'],
  ['delete', ['undefined'], 'tag'],
  ['release', ['published', 'edited', 'deleted'], 'tag'],
  ['github_app_authorization', ['revoked'], 'revoked'],
  ['ping', ['undefined'], 'ping'],
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

t.test('no published payload of any event throws, whatever event it is said to be', async (t) => {
  const payloads = events.flatMap(({ examples }) => examples)
  const facts = payloads.flatMap((payload) => handled.map(([event]) => readDelivery(event, payload)))
  t.equal(facts.filter(({ kind }) => typeof kind === 'string').length, payloads.length * handled.length)
  t.same(readDelivery('star', {}), { kind: 'ignored', reason: 'nothing follows from star' })
})

const first = (event: string, match: (example: Record<string, unknown>) => boolean): Record<string, unknown> =>
  examplesOf(event).find(match)!
const read = (event: string, match: (example: Record<string, unknown>) => boolean): Fact =>
  readDelivery(event, first(event, match))

t.test('a synchronized pull request says its new head, and which installation it is of', async (t) => {
  t.same(
    read('pull_request', (one) => one.action === 'synchronize'),
    {
      kind: 'pull_request',
      action: 'synchronize',
      installationId: 1,
      repoId: 186853002,
      number: 2,
      state: 'open',
      headSha: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821',
      headRef: 'changes',
      headRepoId: 186853002,
      baseSha: 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e',
      baseRef: 'master',
      baseChanged: false,
      author: 'Codertocat',
      draft: false,
      merged: false,
      mergeCommitSha: null,
    } satisfies Partial<Record<string, unknown>>,
  )
})

t.test('a pull request put on another base says so; one with a new title does not', async (t) => {
  const opened = first('pull_request', (one) => one.action === 'opened')
  const rebased = { ...opened, action: 'edited', changes: { base: { ref: { from: 'old' }, sha: { from: 'f0' } } } }
  t.match(readDelivery('pull_request', rebased), { kind: 'pull_request', action: 'edited', baseChanged: true })
  const retitled = { ...opened, action: 'edited', changes: { title: { from: 'old' } } }
  t.match(readDelivery('pull_request', retitled), { kind: 'pull_request', action: 'edited', baseChanged: false })
})

t.test('a pull request of a deleted fork and of a deleted author is read', async (t) => {
  const opened = structuredClone(first('pull_request', (one) => one.action === 'opened')) as {
    pull_request: { head: { repo: unknown }; user: unknown }
  }
  opened.pull_request.head.repo = null
  opened.pull_request.user = null
  t.match(readDelivery('pull_request', opened), { kind: 'pull_request', headRepoId: null, author: 'ghost' })
})

t.test('a field that is missing is named, in place of a guess', async (t) => {
  const opened = structuredClone(first('pull_request', (one) => one.action === 'opened')) as {
    pull_request: { head: { sha?: string } }
  }
  delete opened.pull_request.head.sha
  t.match(readDelivery('pull_request', opened), { kind: 'ignored', reason: /^pull_request: pull_request\.head\.sha: / })
  t.match(readDelivery('push', null), { kind: 'ignored', reason: /^push: the payload: / })
})

t.test('a merged pull request says its merge commit', async (t) => {
  const closed = structuredClone(first('pull_request', (one) => one.action === 'closed')) as {
    pull_request: { merged: boolean; merge_commit_sha: string }
  }
  closed.pull_request.merged = true
  closed.pull_request.merge_commit_sha = 'abc'
  t.match(readDelivery('pull_request', closed), { action: 'closed', merged: true, mergeCommitSha: 'abc' })
})

t.test('installations say their account and repositories by owner and name', async (t) => {
  t.match(
    read('installation', (one) => one.action === 'created'),
    {
      kind: 'installation',
      action: 'created',
      installation: { id: Number, accountId: Number, accountLogin: String, accountType: /^(User|Organization)$/ },
      repositories: [{ id: Number, owner: String, name: /^[^/]+$/ }],
    },
  )
  t.match(
    read('installation', (one) => one.action === 'suspend'),
    { installation: { suspendedAt: /^\d{4}-/ } },
  )
  t.match(
    read('installation_repositories', (one) => one.action === 'removed'),
    { removed: [{ id: Number, owner: 'octocat', name: 'Hello-World' }] },
  )
})

t.test('repositories say the name, owner or default branch they had', async (t) => {
  t.match(
    read('repository', (one) => one.action === 'renamed'),
    { former: { name: 'Hello-World' }, installationId: 1 },
  )
  t.match(
    read('repository', (one) => one.action === 'transferred'),
    { former: { owner: 'octocat' } },
  )
  const branch = (one: Record<string, unknown>) => JSON.stringify(one.changes ?? {}).includes('default_branch')
  t.match(read('repository', branch), { action: 'edited', former: { defaultBranch: 'main' } })
})

t.test('a push of a branch names it whole; a push of a tag says the tag', async (t) => {
  const tagged = first('push', (one) => one.ref === 'refs/tags/simple-tag')
  t.same(readDelivery('push', tagged), { kind: 'tag', repoId: 186853002, tag: 'simple-tag' })
  t.match(readDelivery('push', { ...tagged, ref: 'refs/heads/refs/tags/x', installation: { id: 4 } }), {
    kind: 'push',
    installationId: 4,
    ref: 'refs/heads/refs/tags/x',
    before: /^0{40}$/,
    after: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
    created: true,
    deleted: false,
    repoId: 186853002,
    defaultBranch: 'master',
  })
})

const tags: [event: string, payload: Record<string, unknown>, tag: string | undefined][] = [
  ['create', { ref: 'v1', ref_type: 'tag' }, 'v1'],
  ['delete', { ref: 'net/v2', ref_type: 'tag' }, 'net/v2'],
  ['create', { ref: 'main', ref_type: 'branch' }, undefined],
  ['create', { ref: null, ref_type: 'repository' }, undefined],
  ['delete', { ref: 'main', ref_type: 'branch' }, undefined],
  ['release', { action: 'published', release: { tag_name: 'v3' } }, 'v3'],
  ['release', { action: 'deleted', release: { tag_name: 'v3' } }, 'v3'],
  ['release', { action: 'created', release: { tag_name: 'v3' } }, undefined],
  ['push', { ref: 'refs/tags/a/b', before: 'f', after: '0', deleted: true }, 'a/b'],
]

t.test('whatever becomes of a tag says the tag, and nothing else does', async (t) => {
  for (const [event, payload, tag] of tags) {
    const fact = readDelivery(event, {
      repository: { id: 9, default_branch: 'main' },
      installation: { id: 4 },
      ...payload,
    })
    if (tag === undefined) t.equal(fact.kind, 'ignored', JSON.stringify(payload))
    else t.same(fact, { kind: 'tag', installationId: 4, repoId: 9, tag }, JSON.stringify(payload))
  }
})

const comment = {
  action: 'created',
  repository: { id: 9 },
  installation: { id: 4 },
  issue: { number: 3, pull_request: { url: 'https://api.github.com/repos/octo/infra/pulls/3' } },
  comment: { id: 77, body: 'svc apply', user: { login: 'ada', type: 'User' }, created_at: '2026-11-21T16:00:00Z' },
}

t.test("a person's new comment on a pull request is read, even said through an app", async (t) => {
  const writtenAt = comment.comment.created_at
  const read = { installationId: 4, repoId: 9, number: 3, commentId: 77, author: 'ada', body: 'svc apply', writtenAt }
  t.same(readDelivery('issue_comment', comment), { kind: 'comment', ...read })
  const through = { ...comment, comment: { ...comment.comment, performed_via_github_app: { id: 8 } } }
  t.same(readDelivery('issue_comment', through), { kind: 'comment', ...read })
})

const uncommanding: [why: RegExp, changes: Record<string, unknown>][] = [
  [/not on a pull request/, { issue: { number: 3 } }],
  [/by a Bot/, { comment: { ...comment.comment, user: { login: 'svc[bot]', type: 'Bot' } } }],
  [/by a Mannequin/, { comment: { ...comment.comment, user: { login: 'old', type: 'Mannequin' } } }],
  [/author is gone/, { comment: { ...comment.comment, user: null } }],
  [/issue_comment edited: only a new comment/, { action: 'edited' }],
  [/issue_comment deleted: only a new comment/, { action: 'deleted' }],
]

t.test('any other comment is no command', async (t) => {
  for (const [reason, changes] of uncommanding) {
    t.match(readDelivery('issue_comment', { ...comment, ...changes }), { kind: 'ignored', reason })
  }
})

t.test('a check run asked for again says what it stands for; a suite says its commit only', async (t) => {
  const asked = { repository: { id: 9 }, installation: { id: 4 }, sender: { login: 'ada' }, action: 'rerequested' }
  const rerequest = { kind: 'rerequest', installationId: 4, repoId: 9, sha: 'c1', actor: 'ada' }
  const run = (external_id: string | null) => ({ ...asked, check_run: { head_sha: 'c1', external_id } })
  t.same(readDelivery('check_run', run('run-1/stack-2')), { ...rerequest, externalId: 'run-1/stack-2' })
  t.match(readDelivery('check_run', run('')), { kind: 'ignored', reason: /none of ours/ })
  t.match(readDelivery('check_run', run(null)), { kind: 'ignored', reason: /none of ours/ })
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

t.test('a workflow run says its file without a ref, from wherever the payload has it', async (t) => {
  const path = '.github/workflows/svc-run.yml'
  const run = { id: 31, run_attempt: 2, event: 'workflow_dispatch' }
  const told = { action: 'in_progress', repository: { id: 9 }, workflow: null }
  const fact = {
    kind: 'workflow_run',
    action: 'in_progress',
    repoId: 9,
    workflowRunId: 31,
    attempt: 2,
    event: 'workflow_dispatch',
    path,
  }
  t.same(readDelivery('workflow_run', { ...told, workflow_run: { ...run, path: `${path}@refs/heads/main` } }), fact)
  t.same(readDelivery('workflow_run', { ...told, workflow_run: run, workflow: { path } }), fact)
  t.match(readDelivery('workflow_run', { ...told, workflow_run: run }), { kind: 'ignored', reason: /has a path/ })
})

t.test('an account that is called otherwise now says both logins; an enterprise has none', async (t) => {
  const renamed = {
    action: 'renamed',
    installation: { id: 4 },
    account: { id: 11, login: 'octo-new' },
    changes: { login: { from: 'octo' } },
    target_type: 'Organization',
  }
  t.same(readDelivery('installation_target', renamed), {
    kind: 'installation',
    action: 'renamed',
    installationId: 4,
    accountId: 11,
    login: 'octo-new',
    former: 'octo',
  })
  const enterprise = { ...renamed, account: { id: 11, slug: 'octo-new' }, changes: { slug: { from: 'octo' } } }
  t.match(readDelivery('installation_target', enterprise), { kind: 'ignored', reason: /account\.login/ })
})

t.test('a person who takes their authorisation back is named', async (t) => {
  t.same(
    read('github_app_authorization', () => true),
    { kind: 'revoked', accountId: 1, login: 'octocat' },
  )
})

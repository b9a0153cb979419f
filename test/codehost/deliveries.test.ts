import { createRequire } from 'node:module'
import t from 'tap'
import type { Fact } from '#codehost/fact.ts'
import { readDelivery } from '#codehost/github/deliveries.ts'

type Examples = { name: string; examples: Record<string, unknown>[] }[]
const require = createRequire(import.meta.url)
const events = require('@octokit/webhooks-examples/api.github.com/index.json') as Examples
const examplesOf = (event: string) => events.find(({ name }) => name === event)!.examples

const handled: [event: string, actions: string[]][] = [
  ['pull_request', ['opened', 'reopened', 'synchronize', 'edited', 'closed', 'ready_for_review', 'converted_to_draft']],
  ['installation', ['created', 'deleted', 'suspend', 'unsuspend', 'new_permissions_accepted']],
  ['installation_repositories', ['added', 'removed']],
  ['repository', ['created', 'renamed', 'transferred', 'edited', 'archived', 'unarchived', 'deleted']],
  ['push', ['undefined']],
  ['ping', ['undefined']],
]

for (const [event, actions] of handled) {
  t.test(`every published ${event} is read, and ignored only for its action`, async (t) => {
    for (const [at, example] of examplesOf(event).entries()) {
      const fact = readDelivery(event, example)
      const wanted = actions.includes(String(example.action))
      t.equal(
        fact.kind,
        wanted ? event : 'ignored',
        `${event} ${example.action} (example ${at}): ${JSON.stringify(fact)}`,
      )
      if (!wanted) t.same(fact, { kind: 'ignored', reason: `nothing follows from ${event} ${example.action}` })
    }
  })
}

t.test('no published payload of any event throws, whatever event it is said to be', async (t) => {
  const payloads = events.flatMap(({ examples }) => examples)
  const facts = payloads.flatMap((payload) => handled.map(([event]) => readDelivery(event, payload)))
  t.equal(facts.filter(({ kind }) => typeof kind === 'string').length, payloads.length * handled.length)
  t.same(readDelivery('check_suite', {}), { kind: 'ignored', reason: 'nothing follows from check_suite' })
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

t.test('pushes tell branches from tags by the whole ref', async (t) => {
  t.match(
    read('push', (one) => one.created === true),
    {
      kind: 'push',
      ref: 'refs/tags/simple-tag',
      before: /^0{40}$/,
      after: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
      created: true,
      deleted: false,
      repoId: 186853002,
      defaultBranch: 'master',
    },
  )
})

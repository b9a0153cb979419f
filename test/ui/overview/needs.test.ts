import t from 'tap'
import { needsOf, totalOf } from '../../../ui/overview/needs.ts'

const id = '2919a255-0000-4000-8000-000000000001'
const at = '2026-01-31T12:43:40.000Z'

const failed = {
  ...{ stack_id: id, stack_key: 'data/database', repo: 'acme/infra' },
  run_id: id,
  pr_number: 42,
  failed_at: at,
}

const unknown = {
  ...{ stack_id: id, stack_key: 'platform/registry', repo: 'acme/infra', run_id: id, pr_number: 42 },
  ...({ unknown_reason: 'not_picked_up', unknown_since: at } as const),
}

const refused = {
  ...({
    id,
    run_id: id,
    repo: 'acme/edge',
    pr_number: 17,
    mode: 'apply',
    wave: 0,
    part: 1,
    stacks: 4,
    refusals: 8,
  } as const),
  ...{ message: 'svc-run.yml is disabled', created_at: at, gives_up_at: at },
}

const dead = {
  ...({ id: 7, queue: 'events', kind: 'pull_request', state: 'dead', attempt: 12 } as const),
  ...{ last_error: 'the payload names no repository', created_at: at, finished_at: at },
}

const orphaned = {
  ...({ stack_id: id, stack_key: 'platform/vault', repo: 'acme/infra', state: 'held.orphaned', fence: 3 } as const),
  ...({ pr_number: 38, pr_state: 'closed', run_id: id, taken_at: at, waiting_total: 1 } as const),
}

const sentences = (attention: Parameters<typeof needsOf>[0]): string[] =>
  needsOf(attention).map(({ about, text }) => `${about}${text}`)

t.test('each thing that needs somebody is a sentence with its cause, the gravest kind first', async (t) => {
  const attention = {
    dead_items: { total: 1, items: [dead] },
    orphaned_locks: { total: 1, items: [orphaned] },
    refused_dispatches: { total: 1, items: [refused] },
    unknown_stacks: { total: 3, items: [unknown] },
    failed_stacks: { total: 1, items: [failed] },
  }
  t.same(sentences(attention), [
    'data/database failed in the apply of #42 in acme/infra, which keeps its lock',
    'platform/registry is unknown in the apply of #42 in acme/infra: no workflow run picked it up',
    `The apply of #17 in acme/edge cannot start: the code host answered “svc-run.yml is disabled”. Asked 8 times; given up at ${at}`,
    'platform/vault in acme/infra is locked by #38, which is closed: nobody is left who would set it right; 1 waits',
    'A delivery, pull request, was given up: the payload names no repository',
  ])
  t.equal(totalOf(attention), 7)
  t.same(
    needsOf(attention).map(({ way: { label, to } }) => [label, to.to]),
    [
      ['See what failed', '/runs/$id'],
      ['See its job', '/runs/$id'],
      ['See the run', '/runs/$id'],
      ['See the lock', '/stacks/$id'],
      ['See the queue', '/queue'],
    ],
    'each with the way there',
  )
})

t.test('nothing needs anybody', async (t) => {
  t.same(needsOf(undefined), [])
  t.equal(totalOf(undefined), 0)
})

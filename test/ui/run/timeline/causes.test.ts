import t from 'tap'
import type { TimelineEntry } from '#api/runs/timeline.ts'
import { alikeOf, causesOf } from '../../../../ui/run/timeline/causes.ts'
import { consequencesOf } from '../../../../ui/run/timeline/consequences.ts'
import { namesOf, whoWords } from '../../../../ui/run/timeline/entry-facts.ts'
import { headlineOf } from '../../../../ui/run/timeline/headline.ts'
import { goneOn, nothing } from '../../../../ui/run/timeline/journal.ts'
import { recorded } from './recorded.ts'

const { timeline } = recorded

const sentences = (entries: readonly TimelineEntry[]): string[] => {
  const names = namesOf(entries)
  return causesOf(entries).map(({ entries: some }) => {
    const head = headlineOf(some, names)
    const more = consequencesOf(some, head?.entry, names)
    return `${head?.subject} ${head?.verb}${more.length > 0 ? `: ${more.join(', ')}` : ''} (${some.length})`
  })
}

t.test('an apply that fails, told by its causes', async (t) => {
  t.same(sentences(timeline), [
    'rob asked for the apply in a comment: 4 locks taken, the run applies, 1 stack of wave 1 started, dispatch 1.1 sent (13)',
    'Dispatch 1.1 was picked up by workflow run 3000000056 (1)',
    'platform/network is applied: 2 stacks of wave 2 started, dispatch 2.1 sent (7)',
    'Dispatch 1.1 ended with success (1)',
    'Dispatch 2.1 was picked up by workflow run 3000000068 (1)',
    'data/database failed: the run drains, 1 stack blocked (5)',
    'Dispatch 2.1 ended with failure: the run failed, data/cache is unknown (5)',
  ])
})

t.test('every entry is in one cause', async (t) => {
  t.equal(
    causesOf(timeline).reduce((sum, { entries }) => sum + entries.length, 0),
    timeline.length,
  )
})

const entry = (more: Partial<TimelineEntry>): TimelineEntry => ({
  ...{ kind: 'lock', id: 'a', key: 'data/database', seq: 3, at: '2026-11-23T10:00:00.000Z' },
  ...{ event: { type: 'reminder.due' }, from: 'held.changed', to: 'held.changed', actor: 'timer' },
  ...more,
})

t.test('what nobody asked for stands alone', async (t) => {
  const later = entry({ id: 'b', at: '2026-11-23T10:00:09.000Z' })
  t.equal(causesOf([entry({}), later]).length, 2)
  t.same(sentences([entry({})]), ['The holder of the lock of data/database is reminded (1)'])
})

t.test('what the service finds by itself is one cause, with all that came of it', async (t) => {
  const found = { actor: 'system', at: '2026-11-23T10:00:00.000Z' }
  const lost = { kind: 'stack', from: 'applying', to: 'unknown', event: { type: 'runner.lost' } } as const
  const settled = { kind: 'run', key: undefined, from: 'applying.running', to: 'applying.draining' } as const
  t.same(
    sentences([
      entry({ ...found, ...lost }),
      entry({ ...found, ...settled, event: { type: 'stack.settled' } }),
      entry({ ...found, from: 'held.claimed', event: { type: 'stack.changed' } }),
    ]),
    ['data/database is unknown, its job is gone: the run drains (3)'],
  )
})

t.test('who released a lock, and what else people and the code host do', async (t) => {
  const released = entry({
    ...{ event: { type: 'release.requested', actor: 'grace' }, to: 'free', actor: 'grace', cause: 'x' },
  })
  t.same(sentences([released]), ['grace released the lock of data/database (1)'])
  const merged = entry({
    event: { type: 'pull_request.closed', merged: true },
    to: 'free',
    actor: 'codehost',
    cause: 'y',
  })
  t.same(sentences([merged, { ...merged, id: 'b' }]), ['The pull request was merged: 1 lock released (2)'])
  const refused = entry({
    ...{ kind: 'dispatch', key: undefined, from: 'requested', to: 'refused', cause: 'z' },
    event: { type: 'dispatch.refused', message: 'Workflow does not exist' },
  })
  t.same(sentences([refused]), ['Dispatch a was refused: Workflow does not exist (1)'])
  t.same(sentences([entry({ event: { type: 'something.new' } })]), ['something.new of data/database (1)'])
  t.same(['runner:acme/infra', 'apikey:ci', 'codehost', 'system', 'timer', 'grace'].map(whoWords), [
    ...['a job', 'API key ci', 'the code host', 'the service', 'a timer', 'grace'],
  ])
})

t.test('a dispatch that a cause made is sent, was refused, or is still to be sent', async (t) => {
  const [asked] = causesOf(timeline)
  const without = (asked?.entries ?? []).filter(({ event }) => event.type !== 'dispatch.sent')
  t.match(sentences(without)[0], /dispatch 1\.1 to be sent \(/)
  const made = without.find(({ kind, event }) => kind === 'dispatch' && event.type === 'created')
  const refused = { ...made, seq: 1, event: { type: 'dispatch.refused', message: 'Workflow does not exist' } }
  t.match(sentences([...without, entry(refused)])[0], /was refused: Workflow does not exist \(/)
})

t.test('entries of which only the machine differs are one line', async (t) => {
  const [cause] = causesOf(timeline)
  const lines = alikeOf(cause?.entries ?? []).map(
    ({ first, entries }) => `${first.kind} ${first.event.type} ${entries.length}`,
  )
  t.same(lines, [
    ...['run created 1', 'lock lock.requested 4', 'stack created 4', 'run apply.requested 1', 'stack stack.started 1'],
    ...['dispatch created 1', 'dispatch dispatch.sent 1'],
  ])
})

t.test('entries that come again are not told twice', async (t) => {
  const all = goneOn(nothing, timeline, 'one')
  const again = goneOn(all, timeline.slice(-5), 'one')
  t.equal(again, all, 'where nothing is new it is the very same')
  const more = goneOn(all, [...timeline.slice(-5), entry({})], 'two')
  t.equal(more.entries.length, timeline.length + 1)
  t.equal(more.after, 'two')
})

import t from 'tap'
import { z } from 'zod'
import { begin, restore, type Snapshot, stateOf, statusOf, transit, versionOf } from '#machines/index.ts'
import { kinds } from '#machines/kinds.ts'
import { restoreWith } from '#machines/snapshot.ts'
import type { Upcasters } from '#machines/upcasters.ts'
import { after } from './play.ts'

const plan = { mode: 'plan', trigger: 'pull_request', manual: false } as const
const stored = (snapshot: Snapshot, version = 1) => ({ version, ...JSON.parse(JSON.stringify(snapshot)) })

t.test('a stored snapshot comes back as it was, and continues as if it had never left', async (t) => {
  const run = after(
    'run',
    { mode: 'apply', trigger: 'comment', manual: false },
    { type: 'apply.requested', tallies: [2] },
    { type: 'stack.settled', wave: 0, outcome: 'failed' },
  )
  const back = restore('run', stored(run))
  t.same(back, run)
  t.equal(stateOf(back), 'applying.draining')
  t.equal(statusOf(back), 'applying')
  const next = { type: 'stack.settled', wave: 0, outcome: 'succeeded' } as const
  t.same(transit('run', back, next), transit('run', run, next))
  t.equal(statusOf(begin('run', plan)), 'pending')
})

t.test('a snapshot of a newer version is refused, not guessed at', async (t) => {
  for (const kind of ['run', 'stack', 'lock', 'dispatch'] as const) {
    const newer = { version: versionOf[kind] + 1, value: 'pending', context: {} }
    t.throws(() => restore(kind, newer), {
      message: `a ${kind} snapshot of version ${versionOf[kind] + 1} was stored, this build knows up to ${versionOf[kind]}`,
    })
  }
})

t.test('a state that the machine does not know is refused', async (t) => {
  const { context } = begin('run', plan)
  for (const value of ['gone', { applying: 'gone' }, 'applying', { pending: 'planning' }, {}, 7, null, ['pending']])
    t.throws(
      () => restore('run', { version: 1, value, context }),
      {
        message: `a run snapshot has the state ${JSON.stringify(value)}, which version ${versionOf.run} does not know`,
      },
      JSON.stringify(value),
    )
})

t.test('a context that does not fit is refused with the field that is wrong', async (t) => {
  const { context } = begin('run', plan)
  const bad = { version: 1, value: 'pending', context: { ...context, wave: -1 } }
  t.throws(() => restore('run', bad), { message: /a run snapshot in state pending has a bad context:[\s\S]*wave/ })
  t.throws(() => restore('stack', { version: 1, value: 'pending', context: { ...context } }), { message: /blocked_by/ })
})

/*
 * A made-up history of the dispatch: version 1 called `awaiting` `sent`, and version 2 counted no refusals. The snapshots are
 * written here as those versions would have stored them.
 */
const oldest = { version: 1, value: 'sent', context: { wave: 0, part: 1 } }
const older = { version: 2, value: 'awaiting', context: { wave: 0, part: 1 } }
const history: Upcasters = {
  1: ({ value, context }) => ({ value: value === 'sent' ? 'awaiting' : value, context }),
  2: ({ value, context }) => ({ value, context: { ...z.object({}).loose().parse(context), refusals: 0 } }),
}
const third = { ...kinds.dispatch, version: 3, upcasters: history }

t.test('an old snapshot goes through every upcaster between its version and the present one', async (t) => {
  const present = { value: 'awaiting', context: { wave: 0, part: 1, refusals: 0 } }
  t.same(restoreWith('dispatch', third, oldest), present)
  t.same(restoreWith('dispatch', third, older), present)
  t.same(restoreWith('dispatch', third, { version: 3, ...present }), present)
  const lost = transit('dispatch', restoreWith('dispatch', third, oldest) as Snapshot<'dispatch'>, {
    type: 'runner.lost',
  })
  t.equal(stateOf(lost.snapshot), 'lost', 'and continues from there')
})

t.test('a gap in the upcasters is named', async (t) => {
  const gap = { ...third, upcasters: { 1: history[1]! } }
  t.throws(() => restoreWith('dispatch', gap, oldest), {
    message: 'a dispatch snapshot of version 2 was stored, and no upcaster reads it',
  })
})

t.test('every version before the present one has its upcaster', async (t) => {
  for (const [kind, { version, upcasters }] of Object.entries(kinds))
    t.same(
      Object.keys(upcasters).map(Number),
      Array.from({ length: version - 1 }, (_, from) => from + 1),
      kind,
    )
})

t.test('an apply that version 1 of a run stored goes on without asking windows', async (t) => {
  const tally = { total: 1, open: 1, succeeded: 0, failed: 0, unknown: 0, blocked: 0, skipped: 0 }
  const counts = { ...tally, unconfirmed: 0, superseded: 0 }
  const context = { mode: 'apply', trigger: 'comment', manual: false, wave: 0, tallies: [counts, counts] }
  const stored = { version: 1, value: { applying: 'running' }, context }
  const restored = restore('run', stored)
  t.same(restored, { value: { applying: 'running' }, context })
  const { snapshot, actions } = transit('run', restored, { type: 'stack.settled', wave: 0, outcome: 'succeeded' })
  t.equal(stateOf(snapshot), 'applying.running')
  t.same(
    actions.map(({ type }) => type),
    ['startWave', 'dispatchWave'],
  )
})

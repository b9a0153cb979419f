import t from 'tap'
import type { JournalRow } from '#db/machines/journal.ts'
import { type Replayed, replayRow } from '#runtime/replay.ts'

const row = (seq: number, type: string, to: string, more: Partial<JournalRow> & { with?: object } = {}): JournalRow => {
  const { with: carried = {}, ...rest } = more
  return {
    ...{ seq, event_key: null, actor: 'test', cause: null, state_from: null, state_to: to, actions: [] },
    event: { type, ...carried },
    at: new Date(Date.UTC(2026, 0, 31, 12, seq)),
    ...rest,
  }
}

const timer = (name: string, event: string, seconds: number) => ({
  type: 'scheduleTimer',
  params: { name, event: { type: event }, seconds },
})

const replayed = (rows: JournalRow[]): Replayed<'dispatch'> | undefined => {
  let machine: Replayed<'dispatch'> | undefined
  for (const one of rows) machine = replayRow('dispatch', machine, one)
  return machine
}

const created = row(0, 'created', 'requested', { with: { input: { wave: 0, part: 1 } } })
const refused = (seq: number) =>
  row(seq, 'dispatch.refused', 'refused', {
    with: { status: 422, message: 'no workflow' },
    actions: [timer('resend', 'resend.due', 60), ...(seq === 1 ? [timer('deadline', 'runner.lost', 1800)] : [])],
  })

const timersOf = (rows: JournalRow[]): Record<string, string> =>
  Object.fromEntries([...(replayed(rows)?.timers ?? [])].map(([name, { due_at }]) => [name, due_at.toISOString()]))

t.test('timers are those that were set by then, and neither cancelled nor rung', async (t) => {
  const story = [
    created,
    refused(1),
    row(2, 'resend.due', 'requested', { actor: 'timer', actions: [{ type: 'sendDispatch', params: {} }] }),
    refused(3),
    row(4, 'workflow.bound', 'bound', {
      with: { workflow_run_id: 7, attempt: 1 },
      actions: [
        { type: 'cancelTimer', params: { name: 'resend' } },
        { type: 'cancelTimer', params: { name: 'deadline' } },
      ],
    }),
  ]
  const deadline = '2026-01-31T12:31:00.000Z'
  t.same(timersOf(story.slice(0, 1)), {})
  t.same(timersOf(story.slice(0, 2)), { resend: '2026-01-31T12:02:00.000Z', deadline })
  t.same(timersOf(story.slice(0, 3)), { deadline }, 'what has rung is waited for no more')
  t.same(timersOf(story.slice(0, 4)), { resend: '2026-01-31T12:04:00.000Z', deadline })
  t.same(timersOf(story), {})
  t.match(replayed(story), { seq: 4, snapshot: { value: 'bound', context: { workflow_run_id: 7, refusals: 2 } } })
})

t.test('a journal that the machine does not go through is refused, not guessed at', async (t) => {
  const cases: [rows: JournalRow[], cause: RegExp][] = [
    [[refused(0)], /does not begin/],
    [[created, row(2, 'dispatch.sent', 'awaiting')], /row 1 is missing/],
    [[created, row(1, 'dispatch.sent', 'sent')], /led to sent, and leads to awaiting now/],
    [[created, row(1, 'of.old', 'awaiting')], /no machine knows/],
    [[row(0, 'created', 'requested', { with: { input: {} } })], /malformed/],
  ]
  for (const [rows, message] of cases) t.throws(() => replayed(rows), { cause: { message } }, String(message))
})

t.test('what a machine took before it was stored is in its first row', async (t) => {
  const took = { type: 'stack.started', mode: 'plan' }
  const begun = row(0, 'created', 'planning', { with: { input: { mode: 'plan', wave: 1 }, took } })
  t.match(replayRow('stack', undefined, begun), { seq: 0, snapshot: { value: 'planning', context: { wave: 1 } } })
})

t.test('a machine that was begun again is what it began with', async (t) => {
  const again = row(2, 'created', 'requested', { with: { input: { wave: 1, part: 2 } } })
  t.match(replayed([created, row(1, 'dispatch.sent', 'awaiting'), again]), {
    snapshot: { value: 'requested', context: { wave: 1, part: 2, refusals: 0 } },
  })
})

import t from 'tap'
import { begin, type EventOf, transit } from '#machines/index.ts'
import { after, play, say } from './play.ts'

type DispatchEvent = EventOf<'dispatch'>

const sent = (workflow_run_id?: number): DispatchEvent =>
  workflow_run_id === undefined ? { type: 'dispatch.sent' } : { type: 'dispatch.sent', workflow_run_id }
const refused = (message = 'No ref found'): DispatchEvent => ({ type: 'dispatch.refused', status: 422, message })
const putOff = (retry_after: number): DispatchEvent => ({
  ...{ type: 'dispatch.refused', status: 429, message: 'Rate limited' },
  retry_after,
})
const resend: DispatchEvent = { type: 'resend.due' }
const bound = (workflow_run_id = 99, attempt = 1): DispatchEvent => ({
  type: 'workflow.bound',
  workflow_run_id,
  attempt,
})
const completed = (attempt = 1, workflow_run_id?: number): DispatchEvent => ({
  ...{ type: 'workflow.completed', conclusion: 'success', attempt },
  ...(workflow_run_id === undefined ? {} : { workflow_run_id }),
})
const lost: DispatchEvent = { type: 'runner.lost' }

const dispatch = (...events: DispatchEvent[]) => after('dispatch', { wave: 1, part: 2, stacks: 256 }, ...events)

const pickup = 'scheduleTimer pickup runner.lost 1800'
const deadline = 'scheduleTimer deadline runner.lost 1800'
const again = 'scheduleTimer resend resend.due 60'
const finishes = 'tellOpenStacks runner.lost workflow_finished'

play('dispatch', [
  [dispatch(), sent(), '', 'awaiting', ['cancelTimer deadline', pickup]],
  [dispatch(), refused(), '', 'refused', ['tellRun dispatch.refused', deadline, again]],
  [dispatch(refused()), resend, 'each minute', 'requested', ['cancelTimer resend', 'sendDispatch']],
  [dispatch(refused(), resend), refused(), 'the same message', 'refused', [again]],
  [dispatch(refused(), resend), refused('Disabled'), 'a new message', 'refused', ['tellRun dispatch.refused', again]],
  [dispatch(refused(), resend), sent(), 'accepted at last', 'awaiting', ['cancelTimer deadline', pickup]],
  [
    dispatch(),
    putOff(239.5),
    'when the code host takes requests again',
    'refused',
    ['tellRun dispatch.refused', deadline, 'scheduleTimer resend resend.due 240'],
  ],
  [dispatch(refused('Rate limited'), resend), putOff(7), 'in a minute at the earliest', 'refused', [again]],
  [
    dispatch(refused()),
    lost,
    '30 minutes',
    'lost',
    ['cancelTimer resend', 'cancelTimer deadline', 'tellOpenStacks runner.lost dispatch_refused'],
  ],
  [
    dispatch(refused(), resend),
    lost,
    '30 minutes',
    'lost',
    ['cancelTimer deadline', 'tellOpenStacks runner.lost dispatch_refused'],
  ],

  [dispatch(sent()), bound(), '', 'bound', ['cancelTimer pickup']],
  [dispatch(sent(99)), bound(99), 'the run that the answer named', 'bound', ['cancelTimer pickup']],
  [dispatch(sent(99)), bound(98), 'another run', 'refused forbidden', []],
  [dispatch(), bound(), 'a job reports before the answer is recorded', 'bound', ['cancelTimer deadline']],
  [dispatch(refused()), bound(), 'accepted though it said no', 'bound', ['cancelTimer resend', 'cancelTimer deadline']],
  [dispatch(sent()), lost, '30 minutes', 'lost', ['cancelTimer pickup', 'tellOpenStacks runner.lost not_picked_up']],
  [dispatch(sent(99)), completed(), 'ended without a contact', 'completed', ['cancelTimer pickup', finishes]],
  [dispatch(sent()), sent(), 'sent twice', 'awaiting', []],

  [dispatch(sent(), bound()), completed(), '', 'completed', [finishes]],
  [dispatch(sent(), bound()), completed(1, 99), 'the run that is bound', 'completed', [finishes]],
  [dispatch(sent(), bound()), completed(1, 98), 'another run', 'bound', []],
  [dispatch(sent(99)), completed(1, 98), 'another run', 'awaiting', []],
  [dispatch(sent(), bound()), bound(), 'the next job of it', 'bound', []],
  [dispatch(sent(), bound()), bound(98), 'another run', 'refused forbidden', []],
  [dispatch(sent(), bound()), bound(99, 2), 'jobs are run again', 'bound', []],
  [dispatch(sent(), bound(99, 2)), bound(99, 1), 'an earlier attempt', 'refused forbidden', []],
  [dispatch(sent(), bound(99, 2)), completed(1), 'news of an earlier attempt', 'bound', []],
  [dispatch(sent(), bound()), completed(2), 'news of a later attempt', 'completed', [finishes]],
  [dispatch(sent(), bound()), sent(99), 'the answer comes late', 'bound', []],

  [dispatch(sent(), lost), bound(), 'picked up after all', 'bound', []],
  [dispatch(sent(99), lost), bound(98), 'another run', 'refused forbidden', []],
  [dispatch(sent(), lost, bound()), completed(), '', 'completed', [finishes]],
  [dispatch(refused(), lost), resend, 'rang too late', 'lost', []],
  [dispatch(refused(), lost), refused(), 'nobody waits any more', 'lost', []],

  [dispatch(sent(), bound(), completed()), bound(99, 2), 'another attempt', 'refused forbidden', []],
  [dispatch(sent(), bound(), completed()), bound(98), 'another run', 'refused forbidden', []],
  [dispatch(sent(), bound(), completed()), bound(), 'its last job reports late', 'completed', []],
  [dispatch(sent(), bound(), completed()), completed(), 'told twice', 'completed', []],
  [dispatch(sent(), bound(), completed()), lost, 'rang too late', 'completed', []],
])

t.test('it is lost 30 minutes after the first refusal, however often it is tried again', async (t) => {
  let snapshot = begin('dispatch', { wave: 0, part: 1 })
  const timers = [refused(), resend, refused(), resend, refused('other')].flatMap((event) => {
    const then = transit('dispatch', snapshot, event)
    snapshot = then.snapshot
    return then.actions.map(say).filter((action) => action.includes('deadline'))
  })
  t.same(timers, [deadline])
  t.match(snapshot.context, { refusals: 3, message: 'other' })
})

t.test('the run hears what the code host said', async (t) => {
  const { actions } = transit('dispatch', dispatch(), refused('Disabled'))
  t.same(actions[0], { type: 'tellRun', params: { event: { type: 'dispatch.refused', message: 'Disabled' } } })
})

t.test('the workflow run that the answer names is kept, whenever it comes', async (t) => {
  t.equal(dispatch(sent(99)).context.workflow_run_id, 99)
  t.equal(transit('dispatch', dispatch(sent(), lost), sent(99)).snapshot.context.workflow_run_id, 99)
  t.same(dispatch(sent(), bound(99, 2)).context, {
    wave: 1,
    part: 2,
    stacks: 256,
    refusals: 0,
    workflow_run_id: 99,
    attempt: 2,
  })
})

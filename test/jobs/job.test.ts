import t from 'tap'
import { nobody } from '#jobs/definition.ts'
import { coalesced, isJobKind, type Job, type JobKind, jobKinds, makeJob, readPayload } from '#jobs/job.ts'

const at = new Date('2026-03-02T04:00:00Z')
const moment = 1772424000000
const run = '0b9f1d1c-7a3f-4d5e-9a51-3d1f0a6b2c4f'
const host = { installationId: 5, cause: null }
const clock = { cause: null }
const release = { repo_id: 7, pr_number: 3, run_id: run, actor: 'ann', force_state: false }
const unlocked = (...stack_ids: string[]) =>
  makeJob('comment_lock', { about: 'unlocked', ...release, stack_ids }, { ...host, at })
const lockNotice = (about: 'orphaned' | 'reminder', holder: { pr_number: number } | { run_id: string }) =>
  makeJob('comment_lock', { about, repo_id: 7, ...holder }, { ...host, at })

const cases: [job: Job, key: string, lane: string | null][] = [
  // job                                                                       key                    lane
  [makeJob('add_reaction', { repo_id: 7, comment_id: 9, reaction: 'eyes' }, host), '7 9 eyes', 'answers 5'],
  [makeJob('apply_on_merge', { repo_id: 7, pr_number: 3 }, clock), '7 3', null],
  [makeJob('archive_history', {}, clock), 'all', 'archive history'],
  [makeJob('ask_window', { run_id: run }, host), run, null],
  [unlocked('s1'), `unlocked 7 3 ann ${moment}`, 'answers 5'],
  [lockNotice('orphaned', { pr_number: 3 }), 'orphaned 7 3', 'answers 5'],
  [lockNotice('reminder', { pr_number: 3 }), 'reminder 7 3', 'answers 5'],
  [lockNotice('reminder', { run_id: run }), `reminder 7 ${run}`, 'answers 5'],
  [makeJob('cross_repo_plan', { run_id: run }, host), `after ${run}`, null],
  [makeJob('cross_repo_plan', { repo_id: 7 }, host), 'of 7', 'cross_repo_plan 5'],
  [makeJob('dispatch_wave', { run_id: run, wave: 0 }, host), `${run} 0`, 'dispatches 5'],
  [makeJob('dispatch_wave', { run_id: run }, host), `${run} all`, 'dispatches 5'],
  [makeJob('drift_stack', { stack_id: 's1' }, host), 's1', 'issues 5'],
  [makeJob('index_modules', { repo_id: 7 }, clock), '7', 'modules 7'],
  [makeJob('make_months', {}, clock), 'all', 'make months'],
  [makeJob('post_comment', { repo_id: 7, pr_number: 3, name: 'merge 3', body: 'b' }, host), '7 3 merge 3', 'answers 5'],
  [makeJob('prune', {}, clock), 'all', 'prune'],
  [makeJob('publish_run', { run_id: run }, host), run, 'shown 5'],
  [makeJob('publish_run', { run_id: run }, { ...host, later: true }), `${run} later`, 'shown 5'],
  [makeJob('publish_stacks', { run_id: run }, host), run, 'shown 5'],
  [makeJob('read_config', { repo_id: 7 }, clock), '7', null],
  [makeJob('read_tags', { repo_id: 7 }, clock), '7', 'tags 7'],
  [makeJob('reconcile', { what: 'pull_requests' }, clock), 'pull_requests', 'reconcile pull_requests'],
  [makeJob('schedule_drift', {}, { ...clock, ...nobody }), 'due', 'schedule_drift due'],
  [makeJob('schedule_drift', { repo_id: 7, due_at: at.toISOString() }, host), '7', 'drift 5'],
  [makeJob('send_dispatch', { dispatch_id: 'd1' }, host), 'd1', 'dispatches 5'],
  [makeJob('stale_locks', {}, clock), 'all', 'stale locks'],
  [makeJob('store_plans', { run_id: run }, { ...clock, ...nobody }), run, 'artifacts 1'],
  [makeJob('sync_installations', {}, clock), 'all', 'installations'],
  [makeJob('sync_installations', { installation_id: 5 }, clock), '5', 'installations'],
]

t.test('each kind has its key and its lane', async (t) => {
  for (const [job, key, lane] of cases) t.match(job, { key, lane }, `${job.kind} ${key}`)
  t.same([...new Set(cases.map(([job]) => job.kind))], jobKinds, 'no kind is left out')
})

/** Lanes that organisations share, each with why that is no harm. */
const shared: Record<string, string> = {
  'archive history': 'asks the bucket, and holds one worker at most',
  'make months': 'asks no code host',
  prune: 'asks no code host',
  'schedule_drift due': 'asks no code host',
  'stale locks': 'asks no code host',
  'artifacts 1': 'asks the bucket, and holds two handlers at most',
  'reconcile pull_requests': 'leaves an installation that does not answer for the next time, after 30 s',
  installations: 'goes on with the others after 30 s, and asks again for that installation alone',
}

t.test('no job that asks the code host for one organisation waits in a lane for that of another', (t) => {
  const ofOne = cases.flatMap(([, , lane]) => (lane === null || lane in shared ? [] : [lane]))
  // by the installation or the repository: 5 and 7 above
  for (const lane of ofOne) t.match(lane, /^[a-z_]+ [57]$/, lane)
  for (const lane of Object.keys(shared))
    t.ok(
      cases.some((one) => one[2] === lane),
      `${lane} is one`,
    )
  t.end()
})

t.test('a job has its cause, and its time if one is given', async (t) => {
  t.same(makeJob('prune', {}, { cause: 'job-1', runAt: at }), {
    ...{ kind: 'prune', key: 'all', lane: 'prune', payload: {} },
    ...{ cause: 'job-1', runAt: at },
  })
  t.notOk('runAt' in makeJob('prune', {}, { cause: undefined }))
  t.equal(makeJob('prune', {}, { cause: undefined }).cause, null)
})

t.test('a payload is read as every version stored it', async (t) => {
  const stored: [kind: JobKind, payload: string, read?: object][] = [
    ['add_reaction', '{"repo_id":7,"comment_id":9,"reaction":"rocket"}'],
    ['apply_on_merge', '{"repo_id":7,"pr_number":3}'],
    ['archive_history', '{}'],
    ['ask_window', `{"run_id":"${run}"}`],
    [
      'comment_lock',
      `{"about":"unlocked","repo_id":7,"run_id":"${run}","pr_number":3,"actor":"ann","force_state":false,"stack_ids":["s1"]}`,
    ],
    [
      'comment_lock',
      `{"about":"unlocked","repo_id":7,"run_id":"${run}","pr_number":3,"actor":"ann","reason":"why","force_state":true,"stack_ids":[]}`,
    ],
    ['comment_lock', '{"about":"orphaned","repo_id":7,"pr_number":3}'],
    ['comment_lock', '{"about":"reminder","repo_id":7,"pr_number":3}'],
    ['comment_lock', `{"about":"reminder","repo_id":7,"run_id":"${run}"}`],
    ['cross_repo_plan', `{"run_id":"${run}"}`],
    ['cross_repo_plan', '{"repo_id":7}'],
    ['dispatch_wave', `{"run_id":"${run}"}`],
    ['dispatch_wave', `{"run_id":"${run}","wave":0}`],
    ['drift_stack', '{"stack_id":"s1"}'],
    ['index_modules', '{"repo_id":7}'],
    ['make_months', '{}'],
    ['post_comment', '{"repo_id":7,"pr_number":3,"name":"merge 3","body":"b"}'],
    ['prune', '{}'],
    ['publish_run', `{"run_id":"${run}"}`, { run_id: run, looks: 0 }],
    ['publish_run', `{"run_id":"${run}","looks":2}`],
    ['publish_stacks', `{"run_id":"${run}"}`],
    ['read_config', '{"repo_id":7}'],
    ['read_tags', '{"repo_id":7}'],
    ['reconcile', '{"what":"runs"}'],
    ['reconcile', '{"what":"tags"}'],
    ['schedule_drift', '{}'],
    ['schedule_drift', '{"repo_id":7,"due_at":"2026-03-02T04:00:00.000Z"}', { repo_id: 7, due_at: at }],
    ['send_dispatch', '{"dispatch_id":"d1"}'],
    ['send_dispatch', '{"dispatch_id":"d1","again":true}'],
    ['stale_locks', '{}'],
    ['store_plans', `{"run_id":"${run}"}`],
    ['sync_installations', '{}'],
    ['sync_installations', '{"installation_id":5}'],
  ]
  for (const [kind, payload, read] of stored) {
    t.strictSame(readPayload(kind, JSON.parse(payload)), read ?? JSON.parse(payload), `${kind} ${payload}`)
  }
  t.same([...new Set(stored.map(([kind]) => kind))], jobKinds, 'no kind is left out')
  for (const [{ kind, key, payload }] of cases) {
    t.doesNotThrow(() => readPayload(kind, JSON.parse(JSON.stringify(payload))), `${kind} ${key}`)
  }
})

t.test('a text that is not a payload of its kind is refused', async (t) => {
  t.throws(() => readPayload('publish_run', {}), { name: 'ZodError' })
  t.throws(() => readPayload('reconcile', { what: 'everything' }), { name: 'ZodError' })
  t.throws(() => readPayload('schedule_drift', { repo_id: 7 }), { name: 'ZodError' }, 'a check without its tick')
})

t.test('a kind is an entry of the table, not a name that every object has', async (t) => {
  t.ok(isJobKind('prune'))
  t.notOk(isJobKind('toString'))
  t.notOk(isJobKind('pull_request'))
})

t.test(
  'of several of one kind and key the newest is queued; releases of one moment list the stacks of all',
  async (t) => {
    const publish = (cause: string) => makeJob('publish_run', { run_id: run }, { ...host, cause })
    t.same(coalesced([publish('one'), makeJob('store_plans', { run_id: run }, clock), publish('two')]), [
      publish('two'),
      makeJob('store_plans', { run_id: run }, clock),
    ])
    t.same(coalesced([unlocked('s1'), unlocked('s2'), unlocked('s2', 's3')]), [unlocked('s1', 's2', 's3')])
    const notice = lockNotice('reminder', { pr_number: 3 })
    t.same(coalesced([notice, notice]), [notice])
  },
)

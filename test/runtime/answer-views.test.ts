import t from 'tap'
import { systemClock } from '#clock.ts'
import { createPool } from '#db/pool.ts'
import { markWaived, putCheck } from '#db/runs/checks.ts'
import { transact } from '#db/transact.ts'
import { runStackViews } from '#db/views/runs/run-stack-view.ts'
import type { KeptResult } from '#domain/result.ts'
import { createLog } from '#log.ts'
import type { Answer, Message } from '#runtime/message.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { testDatabase } from '#test/helpers/database.ts'
import { dependsOn, seedRepository, seedRun, takeLocks } from '#test/helpers/seed.ts'
import { query } from '#test/scenes/served.ts'

const { url } = await testDatabase(t)
const pool = await createPool(url, { log: createLog({ level: 'silent', format: 'json' }) })
t.teardown(() => pool.end())
await seedRepository(pool)
const runtime = createRuntime({ pool, clock: systemClock })

type Outcome = 'changes' | 'none' | 'failed' | 'unconfirmed'
type Report = { outcome?: Outcome; body?: Partial<KeptResult>; text?: string | null }

const reported = (
  mode: 'plan' | 'apply',
  runId: string,
  { key, outcome = 'changes', body, text = null }: Report & { key: string },
): Message => ({
  to: { kind: 'stack', runId, key },
  event: { type: 'result.reported', outcome, digest: `${key} ${outcome}` },
  actor: 'test',
  document: () => ({ body: { mode, status: 'success', ...body }, plan_text: text }),
  wantsView: true,
})

/** The row as everybody reads it afterwards. */
const read = async ({ view }: Answer) => {
  const [row] = await runStackViews(pool, [{ runId: view?.run_id ?? '', stackId: view?.stack_id ?? '' }])
  const { plan_hash: _, ...shown } = row ?? { plan_hash: null }
  return shown
}

const summary = { adds: 1, changes: 2, destroys: 0, replaces: 0 }
const reports: [what: string, mode: 'plan' | 'apply', report: Report][] = [
  ['a plan with its text', 'plan', { body: { exit_code: 2, summary }, text: 'will be créé\n' }],
  ['a plan without a text', 'plan', { body: { exit_code: 2 } }],
  ['a plan without changes', 'plan', { outcome: 'none', body: { exit_code: 0, has_changes: false } }],
  ['a plan that failed', 'plan', { outcome: 'failed', body: { status: 'failure', error_text: 'no token' } }],
  ['an apply, whose lock stays held', 'apply', { body: { exit_code: 0 } }],
  ['an apply that changed nothing', 'apply', { outcome: 'none', body: { has_changes: false } }],
  ['an apply that is unconfirmed', 'apply', { outcome: 'unconfirmed', body: { unconfirmed: true } }],
  ['an apply that failed, and blocks others', 'apply', { outcome: 'failed', body: { status: 'failure' } }],
]

/** Stacks of its own, so that no case meets the locks of another: `a`, `b`, and `c`, which depends on `a`. */
const seeded = async (mode: 'plan' | 'apply', name: string) => {
  const [a, b, c] = ['a', 'b', 'c'].map((key) => `${name}/${key}`) as [string, string, string]
  const { runId } = await seedRun(pool, runtime, { mode, waves: [[a, b], [c]], edges: [dependsOn(c, a)] })
  return { runId, a, b }
}

t.test('a result is answered with the row as it is read afterwards', async (t) => {
  for (const [index, [what, mode, report]] of reports.entries()) {
    const { runId, a } = await seeded(mode, `alone ${index}`)
    const answer = await runtime.send(reported(mode, runId, { ...report, key: a }))
    t.equal(answer.outcome, 'moved', what)
    t.match(answer.view, { key: a, result: { mode } }, what)
    t.same(answer.view, await read(answer), what)
  }
})

t.test('so are results that share a transaction, of one run or of several', async (t) => {
  const messages: Message[] = []
  for (const [index, [, mode, report]] of reports.entries()) {
    const { runId, a, b } = await seeded(mode, `together ${index}`)
    messages.push(reported(mode, runId, { ...report, key: a }), reported(mode, runId, { ...report, key: b }))
  }
  const ofOne = messages.splice(0, 2)
  const answers = [
    ...(await transact(pool, (tx) => runtime.sendAll(tx, ofOne))),
    ...(await transact(pool, (tx) => runtime.sendAll(tx, messages))),
  ]
  t.equal(answers.length, 2 * reports.length)
  for (const answer of answers) {
    t.equal(answer.outcome, 'moved')
    t.same(answer.view, await read(answer))
  }
})

t.test(
  'the row shows its verdicts and who holds its lock, and a report that came before shows it as it was',
  async (t) => {
    const { runId, a } = await seeded('plan', 'judged')
    const [{ stack_id }] = await query(url, [
      'select stack_id from run_stacks where run_id = $1 and key = $2',
      [runId, a],
    ])
    const check = { run_id: runId, stack_id, summary: 'public', details: 'x', details_url: 'https://x.example' }
    await transact(pool, async (tx) => {
      await putCheck(tx, { ...check, name: 'policy', status: 'fail', updated_at: new Date() })
      await markWaived(tx, [{ run_id: runId, stack_id, name: 'policy', waived_by: 'ann' }])
      await takeLocks(runtime, tx, { runId, prNumber: 7, keys: [a] })
    })
    const report = reported('plan', runId, { key: a, text: 'plan' })
    const [first, again] = [await runtime.send(report), await runtime.send(report)]
    t.match(first.view, { checks: [{ name: 'policy', waived_by: 'ann' }], lock_run_id: runId, lock_pr_number: 7 })
    t.same(first.view, await read(first))
    t.equal(again.outcome, 'unchanged')
    t.match(again.view, { ...first.view })
  },
)

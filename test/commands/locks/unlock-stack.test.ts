import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import t from 'tap'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { applying, auditOf, beginApplyOf, lockStates, lose } from '#test/scenes/applying.ts'
import { addKey, planning, query, send } from '#test/scenes/scene.ts'

/** How far the service's clock is ahead of the machine's. */
let ahead = 0
const clock = { now: () => new Date(Date.now() + ahead) }

const world = await startWorld(t, { replaced: { clock } })
const key = await addKey(world)

const idOf = async (stackKey: string): Promise<string> =>
  (await query(world, `select id from stacks where key = '${stackKey}'`))[0]?.id

/** The service's comments on a pull request, without the one of its plan. */
const notes = (pull: { comments(): readonly { body: string }[] }): string[] =>
  pull.comments().flatMap(({ body }) => (body.startsWith('<!-- svc:job ') ? [body.slice(body.indexOf('\n') + 1)] : []))

t.test('a lock is released by repository and key, audited, and its pull request gets a comment', async (t) => {
  const { pull, applyId } = await applying(world, [['network']])
  const body = { repo: 'ACME/infra', stack_key: 'network', reason: 'ada is *away*' }
  const answer = await send(world, key, '/v1/unlock', body)
  t.equal(answer.status, 200)
  const stackId = await idOf('network')
  const [{ taken_at: takenAt, ...released }, ...more] = answer.body.released
  t.same(more, [])
  t.same(released, {
    stack_id: stackId,
    stack_key: 'network',
    run_id: applyId,
    pr_number: pull.number,
    reason: 'ada is *away*',
  })
  t.match(takenAt, /^\d{4}-.*Z$/)
  t.same(await lockStates(world, ['network']), { network: 'free' })
  const entry = {
    actor: 'apikey:ci',
    target: 'acme/infra//network',
    details: {
      repo: 'acme/infra',
      stack: 'network',
      stack_id: stackId,
      pr: pull.number,
      run_id: applyId,
      reason: 'ada is *away*',
      force_state: false,
    },
  }
  t.same(await auditOf(world, 'unlock'), [entry])
  await world.settled()
  const [note, ...others] = notes(pull)
  t.same(others, [])
  t.match(
    note,
    /^### 🔓 A lock was released\n\nHeld by this pull request, released by `apikey:ci`: ada is \\\*away\\\*\n/,
  )
  t.match(note, /- `network`/)
  t.notMatch(note, /force-unlock/)
  t.same((await send(world, key, '/v1/unlock', body)).body, { released: [] }, 'and nothing is held any more')
  t.equal((await auditOf(world, 'unlock')).length, 1, 'so nothing is audited')
})

t.test('a lock is released by the id of its stack, after a runner that died', async (t) => {
  const { pull, applyId } = await applying(world, [['data']])
  await lose(world, applyId, 'data')
  const answer = await send(world, key, `/v1/stacks/${await idOf('data')}/unlock`, { force_state: true })
  t.match(answer, { status: 200, body: { released: [{ stack_key: 'data', run_id: applyId, pr_number: pull.number }] } })
  t.notOk('reason' in answer.body.released[0])
  await world.settled()
  t.match(notes(pull)[0], /Released as after a runner that died[\s\S]*`force-unlock` of the tool/)
  const [, entry] = await auditOf(world, 'unlock')
  t.match(entry, { details: { force_state: true } })
  t.same(Object.keys(entry?.details ?? {}).sort(), ['force_state', 'pr', 'repo', 'run_id', 'stack', 'stack_id'])
})

t.test('the body of the second form may be left out', async (t) => {
  const { pull } = await applying(world, [['dns']])
  const path = `/v1/stacks/${await idOf('dns')}/unlock`
  for (const headers of [{}, { 'content-type': 'application/json' }]) {
    const response = await fetch(`${world.service.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...headers },
    })
    t.equal(response.status, 200, JSON.stringify(headers))
  }
  await world.settled()
  t.equal(notes(pull).length, 1)
})

t.test('a lock is released from the run that is named, and from no other: the answer says who holds it', async (t) => {
  const { pull, applyId } = await applying(world, [['named']])
  const stackId = await idOf('named')
  const before = await auditOf(world, 'unlock')
  const gone = randomUUID()
  const named = { repo: 'acme/infra', stack_key: 'named' }
  const forms: [path: string, body: object][] = [
    ['/v1/unlock', named],
    [`/v1/stacks/${stackId}/unlock`, {}],
  ]
  for (const [path, body] of forms) {
    const answer = await send(world, key, path, { ...body, run_id: gone })
    const [{ taken_at: takenAt, ...conflict }, ...more] = answer.body.details.conflicts
    t.match(answer, { status: 409, body: { code: 'conflict' } }, path)
    t.equal(
      answer.body.message,
      `the lock on named is held by pull request #${pull.number} (run ${applyId}) now, not by run ${gone}`,
    )
    t.same(conflict, { stack_id: stackId, stack_key: 'named', run_id: applyId, pr_number: pull.number })
    t.match(takenAt, /^\d{4}-.*Z$/)
    t.same(more, [])
  }
  t.same(await lockStates(world, ['named']), { named: 'held.claimed' })
  t.same(await auditOf(world, 'unlock'), before, 'nothing is audited')
  const answer = await send(world, key, '/v1/unlock', { ...named, run_id: applyId })
  t.match(answer, { status: 200, body: { released: [{ run_id: applyId }] } })
  const again = await send(world, key, '/v1/unlock', { ...named, run_id: applyId })
  t.same(again, { status: 200, body: { released: [] } }, 'a lock that nobody holds is no conflict')
})

t.test('who takes the lock while its release waits for it keeps it', async (t) => {
  const { applyId } = await applying(world, [['raced']])
  const { id: other } = await planning(world, ['raced'])
  const stranger = new Client({ connectionString: world.env.DATABASE_URL })
  await stranger.connect()
  await stranger.query(`begin; update locks set run_id = '${other}' where run_id = '${applyId}'`)
  const release = send(world, key, '/v1/unlock', { repo: 'acme/infra', stack_key: 'raced', run_id: applyId })
  const held = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => (await query(world, held)).length > 0)
  await stranger.query('commit')
  await stranger.end()
  t.match(await release, { status: 409, body: { details: { conflicts: [{ run_id: other }] } } })
  t.same(await lockStates(world, ['raced']), { raced: 'held.claimed' })
})

t.test('a manual run loses its lock too, and no pull request gets a comment', async (t) => {
  const { id } = await planning(world, ['manual'])
  const runId = await beginApplyOf(world, { planRunId: id, waves: [['manual']] })
  const answer = await send(world, key, '/v1/unlock', { repo: 'acme/infra', stack_key: 'manual' })
  t.match(answer.body, { released: [{ stack_key: 'manual', run_id: runId }] })
  t.notOk('pr_number' in answer.body.released[0])
  const entry = (await auditOf(world, 'unlock')).at(-1)
  t.same(Object.keys(entry?.details ?? {}).sort(), ['force_state', 'repo', 'run_id', 'stack', 'stack_id'])
  await world.settled()
  t.same(await query(world, `select kind from jobs where kind = 'comment_lock' and state = 'dead'`), [])
})

t.test('a lock that cannot be released is an error that names its field, or says it does not exist', async (t) => {
  const named = { repo: 'acme/infra', stack_key: 'network' }
  const cases: [path: string, body: unknown, status: number, field: string | undefined][] = [
    ['/v1/unlock', { stack_key: 'network' }, 400, 'repo'],
    ['/v1/unlock', { repo: 'acme/infra' }, 400, 'stack_key'],
    ['/v1/unlock', { repo: 'acme', stack_key: 'network' }, 400, 'repo'],
    ['/v1/unlock', { ...named, force_state: 'yes' }, 400, 'force_state'],
    ['/v1/unlock', { ...named, reason: 'x'.repeat(4001) }, 400, 'reason'],
    ['/v1/unlock', { ...named, run_id: 'mine' }, 400, 'run_id'],
    ['/v1/unlock', { ...named, repo: 'acme/other' }, 404, undefined],
    ['/v1/unlock', { ...named, stack_key: 'other' }, 404, undefined],
    [`/v1/stacks/${randomUUID()}/unlock`, {}, 404, undefined],
    ['/v1/stacks/network/unlock', {}, 400, 'id'],
  ]
  for (const [path, body, status, field] of cases) {
    const answer = await send(world, key, path, body)
    t.match(
      [answer.status, answer.body.details?.field],
      [status, field],
      `${path} ${JSON.stringify(body).slice(0, 60)}`,
    )
  }
})

t.test('locks are listed with their holders and those that wait, the longest held first', async (t) => {
  const first = await applying(world, [['listed/a', 'listed/b']])
  const waiting = await planning(world, ['listed/a'])
  const idle = await planning(world, ['listed/b'])
  await idle.job.report(idle.id, 'listed/b', { exit_code: 0, has_changes: false, summary: undefined })
  const second = await applying(world, [['listed/c']])
  const { status, body } = await send(world, key, '/v1/locks?repo=acme/infra')
  t.equal(status, 200)
  const listed = body.items.filter((item: { stack_key: string }) => item.stack_key.startsWith('listed/'))
  t.match(
    listed.sort((a: { stack_key: string }, b: { stack_key: string }) => (a.stack_key < b.stack_key ? -1 : 1)),
    [
      {
        stack_key: 'listed/a',
        repo: 'acme/infra',
        state: 'held.claimed',
        fence: 1,
        run_id: first.applyId,
        run_status: 'applying',
        pr_number: first.pull.number,
        waiting: [{ pr_number: waiting.pull.number, run_id: waiting.id }],
      },
      { stack_key: 'listed/b', waiting: undefined },
      { stack_key: 'listed/c', run_id: second.applyId },
    ],
  )
  const keys: string[] = []
  for (let cursor = ''; ; ) {
    const page = await send(world, key, `/v1/locks?limit=1${cursor}`)
    t.ok(page.body.items.length <= 1)
    keys.push(...page.body.items.map((item: { stack_key: string }) => item.stack_key))
    if (page.body.next_cursor === undefined) break
    cursor = `&cursor=${page.body.next_cursor}`
  }
  const whole = (await send(world, key, '/v1/locks')).body
  t.same(
    keys,
    whole.items.map((item: { stack_key: string }) => item.stack_key),
    'pages follow each other',
  )
  t.equal(new Set(keys).size, keys.length)
  t.equal(keys.at(-1), 'listed/c')
})

t.test('a page that cannot be had is an error that names its parameter', async (t) => {
  const cases: [query: string, status: number, field: string | undefined][] = [
    ['limit=0', 400, 'limit'],
    ['limit=-1', 400, 'limit'],
    ['limit=ten', 400, 'limit'],
    ['limit=501', 200, undefined],
    ['limit=99999999999999999999999', 200, undefined],
    ['limit=', 200, undefined],
    ['cursor=nonsense', 400, 'cursor'],
    [`cursor=${Buffer.from('["2026-01-01","x"]').toString('base64url')}`, 400, 'cursor'],
    ['repo=acme', 400, 'repo'],
    ['repo=acme/other', 404, undefined],
  ]
  for (const [parameters, status, field] of cases) {
    const answer = await send(world, key, `/v1/locks?${parameters}`)
    t.match([answer.status, answer.body.details?.field], [status, field], parameters)
  }
})

t.test('a long-time holder of a lock is reminded, again and again; a manual run in the audit log alone', async (t) => {
  const { pull } = await applying(world, [['long/a', 'long/b']], [], 300)
  const { id } = await planning(world, ['long/manual'])
  const manual = await beginApplyOf(world, { planRunId: id, waves: [['long/manual']], remindAfter: 300 })
  const reminded = async (stack: string) =>
    (await auditOf(world, 'lock_reminder')).filter(({ target }) => target === `acme/infra//${stack}`)
  for (const times of [1, 2]) {
    ahead += 301_000
    await until(
      async () => (await reminded('long/b')).length >= times && (await reminded('long/manual')).length >= times,
    )
    // the comment waits for other reminders of the same moment
    ahead += 31_000
    await world.settled()
    t.equal(notes(pull).length, times, 'one comment for all of its locks')
  }
  t.match(
    notes(pull)[1],
    /### 🔒 This pull request holds 2 locks[\s\S]*- `long\/a` for 1\d minutes[\s\S]*- `long\/b` for/,
  )
  const details = { repo: 'acme/infra', stack: 'long/manual', run_id: manual }
  t.match((await reminded('long/manual'))[0], { actor: 'system', details })
  await send(world, key, '/v1/unlock', { repo: 'acme/infra', stack_key: 'long/manual' })
  const before = (await reminded('long/manual')).length
  ahead += 301_000
  await until(async () => (await reminded('long/b')).length > 2)
  t.equal((await reminded('long/manual')).length, before, 'no more once it is free')
})

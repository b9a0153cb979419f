import t from 'tap'
import { nudge } from '#test/helpers/nudge.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { report } from '#test/scenes/applying.ts'
import {
  answersTo,
  commandAudits,
  comment,
  newestRun,
  planned,
  policy,
  pushAndPlan,
  reactionsTo,
  runsOf,
} from '#test/scenes/commenting.ts'
import { query, secondInstance } from '#test/scenes/scene.ts'

const world = await startWorld(t, { files: { 'svc.yml': '{ version: 1, apply: { approvals: 0 } }\n' } })
const { github, repository } = world
for (const login of ['ada', 'rob', 'eve']) repository.setPermission(login, 'write')

/** Makes jobs that wait for their next attempt run now, as after minutes of waiting. */
const tryAgain = async (kind: string): Promise<void> => {
  await until(
    async () =>
      (await query(world, `select 1 from jobs where kind = '${kind}' and state = 'queued' and attempt > 0`)).length > 0,
  )
  await query(world, `update jobs set run_at = now() where kind = '${kind}' and state = 'queued' and attempt > 0`)
  await world.settled()
}

t.test('one comment, handled by several workers at once, begins one run', async (t) => {
  await secondInstance(t, world)
  const { pull } = await planned(world, ['race'])
  const { id } = pull.comment('svc apply', 'rob')
  await github.deliveriesSettled()
  await query(
    world,
    `insert into jobs (queue, kind, payload) select 'events', kind, payload from jobs, generate_series(1, 6)
     where kind = 'issue_comment' and payload->'comment'->>'id' = '${id}'`,
  )
  await world.settled()
  t.same(await runsOf(world, pull, 'apply'), ['applying: race'])
  t.same(reactionsTo(pull, id), ['eyes', 'rocket'])
  t.same(answersTo(pull, `comment ${id}`), [])
  t.same(await commandAudits(world, pull), ['command rob apply'])
})

t.test('two commands at once begin one run, and the other is refused', async (t) => {
  const { pull } = await planned(world, ['both'])
  const ids = [pull.comment('svc apply', 'rob').id, pull.comment('svc apply', 'ada').id]
  await world.settled()
  t.same(await runsOf(world, pull, 'apply'), ['applying: both'])
  t.match(
    ids.flatMap((id) => answersTo(pull, `comment ${id}`)),
    [/in_flight/],
  )
})

t.test('of two pull requests that want the same stack at once one gets it, and the other learns which', async (t) => {
  const one = await planned(world, ['shared'])
  const other = await planned(world, ['shared'])
  const ids = [one, other].map(({ pull }) => ({ pull, id: pull.comment('svc apply', 'rob').id }))
  await world.settled()
  const runs = [...(await runsOf(world, one.pull, 'apply')), ...(await runsOf(world, other.pull, 'apply'))]
  t.same(runs, ['applying: shared'])
  t.match(
    ids.flatMap(({ pull, id }) => answersTo(pull, `comment ${id}`)),
    [/`lock`: Stack shared is locked by pull request #/],
  )
})

t.test('an answer whose posting got no reply is found, not posted again', async (t) => {
  const { pull } = await planned(world, ['lost'])
  const path = /\/issues\/\d+\/comments$/
  github.faults.add({ kind: 'request', method: 'POST', path, effect: 'drop-after', times: 1 })
  const { id } = pull.comment('svc help', 'rob')
  await tryAgain('post_comment')
  t.match(answersTo(pull, `comment ${id}`), [/### Commands/])
})

t.test('an answer reads none of the comments that were there before', async (t) => {
  const { pull } = await planned(world, ['long thread'])
  for (let index = 0; index < 30; index += 1) pull.comment('x'.repeat(65_000), 'eve')
  await world.settled()
  const list = `/repos/acme/infra/issues/${pull.number}/comments`
  const listings = () => github.requests.filter(({ method, path }) => method === 'GET' && path === list)
  const before = listings().length
  const { id } = pull.comment('svc help', 'rob')
  await world.settled()
  t.match(answersTo(pull, `comment ${id}`), [/### Commands/])
  t.equal(listings().length, before)
})

t.test('a code host that is down refuses nothing: the command is carried out when it is back', async (t) => {
  await policy(world, { approvals: 1 })
  const { pull } = await planned(world, ['down'])
  pull.review('eve', 'approve')
  await world.settled()
  const fault = github.faults.add({ kind: 'request', path: /\/reviews$/, effect: { status: 502 } })
  const { id } = pull.comment('svc apply', 'rob')
  await until(
    async () =>
      (await query(world, `select 1 from jobs where kind = 'issue_comment' and state = 'queued' and attempt = 1`))
        .length > 0,
  )
  fault.remove()
  t.same([await runsOf(world, pull, 'apply'), answersTo(pull, `comment ${id}`)], [[], []])
  await tryAgain('issue_comment')
  t.same(await runsOf(world, pull, 'apply'), ['applying: down'])
  t.same(reactionsTo(pull, id), ['eyes', 'rocket'])
})

t.test('a command that fails each time is answered, and not carried out later', async (t) => {
  await policy(world, { approvals: 1 })
  const { pull } = await planned(world, ['hopeless'])
  pull.review('eve', 'approve')
  await world.settled()
  const fault = github.faults.add({ kind: 'request', path: /\/reviews$/, effect: { status: 400, message: 'no' } })
  const { id } = pull.comment('svc apply', 'rob')
  const is = (state: string) => async () =>
    (await query(world, `select from jobs where kind = 'issue_comment' and state = '${state}' and attempt > 0`))
      .length > 0
  await until(is('queued'))
  await query(world, `update jobs set attempt = 4, run_at = now() where kind = 'issue_comment' and state = 'queued'`)
  await nudge(world.pool)
  await until(is('dead'))
  fault.remove()
  await world.settled()
  t.match(answersTo(pull, `comment ${id}`), [/`svc apply` was not carried out.* gave up: .*400.*\*\*Next:\*\* write/s])
  await query(world, `update jobs set state = 'queued', attempt = 0 where kind = 'issue_comment' and state = 'dead'`)
  await world.settled()
  t.same(await runsOf(world, pull, 'apply'), [])
  t.match((await comment(world, pull, 'svc apply')).reactions, ['eyes', 'rocket'])
})

t.test('a question that the app may not ask is named, and refuses', async (t) => {
  await policy(world, { approvals: 1 })
  const { pull } = await planned(world, ['forbidden'])
  pull.review('eve', 'approve')
  await world.settled()
  const status = { status: 403, message: 'Resource not accessible by integration' }
  const unseen = github.faults.add({ kind: 'request', path: /\/collaborators\/eve\/permission$/, effect: status })
  const refused = await comment(world, pull, 'svc apply')
  unseen.remove()
  t.match(refused.answers, [/`approval`: 0 of 1 needed approval.*the permission of eve could not be read/])
  const unread = github.faults.add({ kind: 'request', path: /\/reviews$/, effect: status })
  const forbidden = await comment(world, pull, 'svc apply')
  unread.remove()
  t.match(forbidden.answers, [/was not carried out.*Resource not accessible by integration.*\*\*Next:\*\*/s])
  t.same(await runsOf(world, pull, 'apply'), [])
  t.same((await comment(world, pull, 'svc apply')).reactions, ['eyes', 'rocket'])
})

/** Another delivery of this comment, as if it had been written so many minutes ago, and were the command. */
const deliverLate = async (id: number, minutes: number, command = 'svc apply') => {
  await query(world, `delete from comment_commands where comment_id = ${id}`)
  await query(
    world,
    `insert into jobs (queue, kind, payload)
     select 'events', kind, jsonb_set(jsonb_set(payload, '{comment,body}', '"${command}"'), '{comment,created_at}',
       to_jsonb(to_char((now() - interval '${minutes} minutes') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))
     from jobs where kind = 'issue_comment' and payload->'comment'->>'id' = '${id}' limit 1`,
  )
  await world.settled()
}

t.test('a comment whose delivery comes late means the plan of its time, not a later one', async (t) => {
  await policy(world, {})
  const { pull, id: planId } = await planned(world, ['late'])
  await query(world, `update runs set created_at = created_at - interval '20 minutes' where id = '${planId}'`)
  await pushAndPlan(world, pull, ['late'])
  const { id } = await comment(world, pull, 'as if it were the command, ten minutes ago')
  await deliverLate(id, 10)
  t.same(await runsOf(world, pull, 'apply'), [])
  t.match(answersTo(pull, `comment ${id}`), [/`plan`: The head moved from \w+ to \w+ after the apply was asked for/])
  await deliverLate(id, 0)
  t.same(await runsOf(world, pull, 'apply'), ['applying: late'], 'while a comment of now is carried out')
})

/** Makes a plan 20 minutes older: when it began, when it ended, or both. */
const age = async (runId: string, ...times: ('created_at' | 'finished_at')[]) => {
  for (const time of times)
    for (const [table, id] of [
      ['runs', 'id'],
      ['run_stacks', 'run_id'],
    ])
      await query(world, `update ${table} set ${time} = ${time} - interval '20 minutes' where ${id} = '${runId}'`)
}

t.test('a plan that was under way when the comment was written is not applied by it', async (t) => {
  await policy(world, {})
  const { pull, id: planId } = await planned(world, ['under-way/a', 'under-way/b'])
  await age(planId, 'created_at')
  const { id } = await comment(world, pull, 'as if it were the command')
  await deliverLate(id, 10)
  t.same(await runsOf(world, pull, 'apply'), [])
  t.match(answersTo(pull, `comment ${id}`), [/`plan`: 2 stacks \(.*\) were planned after the apply was asked for/])
})

t.test('a plan of the same commit that was made after the comment is not applied by it', async (t) => {
  await policy(world, {})
  const { pull, id: planId } = await planned(world, ['twice/a', 'twice/b'])
  await age(planId, 'created_at', 'finished_at')
  await comment(world, pull, 'svc plan twice/a')
  await report(world, await newestRun(world, pull, 'plan'), 'twice/a')
  const { id } = await comment(world, pull, 'as if it were the command')
  await deliverLate(id, 10)
  t.same(await runsOf(world, pull, 'apply'), [])
  t.match(answersTo(pull, `comment ${id}`), [
    /`plan`: Stack twice\/a was planned after .*\. Read that plan, then comment `svc apply` again/,
  ])
  await deliverLate(id, 10, 'svc apply twice/b')
  t.same(await runsOf(world, pull, 'apply'), ['applying: twice/b'], 'the other has the plan of that time')
})

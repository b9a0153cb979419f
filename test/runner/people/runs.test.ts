import t from 'tap'
import { startWorld } from '#test/helpers/world.ts'
import { applying, auditOf, lose, report } from '#test/scenes/applying.ts'
import { planning, send } from '#test/scenes/scene.ts'
import { askingFor, uncoloured } from './asking.ts'

const world = await startWorld(t)
const { ask, key } = await askingFor(t, world)
const terminal = { columns: 90, rows: 20 }

const summary = { adds: 1, changes: 2, destroys: 0, replaces: 0 }
const text = 'Terraform will perform:\n  + resource "a" "b" {\n\t}\n  - gone\n  ~ moved \u001b[2J\n'

t.test('a run shows its stacks by wave, and what comes next', async (t) => {
  const { id, job, pull } = await planning(world, ['network', 'app'])
  await job.report(id, 'network', { summary, plan_text: text })
  const ran = await ask(['run', id])
  t.equal(ran.code, 0)
  t.match(
    ran.stdout,
    new RegExp(`^plan of acme/infra #${pull.number} at [0-9a-f]{7}.*: planning, (?:\\d+ s|\\d min) ago\n`),
  )
  t.match(ran.stdout, /\n1 +network +planned +\+1 ~2 -0 ±0 +requested/)
  t.match(ran.stdout, new RegExp(`/runs/${id}\n$`))
  t.match((await ask(['run', id.slice(0, 13)])).stdout, ran.stdout.split('\n')[1], 'the beginning of the id will do')
  const json = await ask(['run', id, '--json'])
  t.same(json.json, (await send(world, key, `/v1/runs/${id}?text=none`)).body)

  const plan = await ask(['plan-text', id, 'network'])
  t.equal(plan.stdout, text, 'a plan is printed as it is')
  const drawn = (await ask(['plan-text', id, 'network'], { terminal })).stdout
  t.match(drawn, '\u001b[32m  + resource "a" "b" {\u001b[39m\n\t}\n\u001b[31m  - gone\u001b[39m\n')
  t.notOk(drawn.includes('\u001b[2J'), 'but a terminal obeys nothing of it')
  t.same((await ask(['plan-text', id, 'network', '--json'])).json, { run_id: id, stack_key: 'network', text })
  t.match((await ask(['plan-text', id, 'app'])).stderr, /404 not_found/)
})

t.test('a run is drawn until it is over, and its exit status says how that was', async (t) => {
  const watched = (id: string, args: string[] = []) => ask(['run', id, '--watch', ...args], { terminal })
  const { id, job } = await planning(world, ['network', 'app'])
  await job.report(id, 'network', { summary })
  const watching = watched(id)
  await job.report(id, 'app', { exit_code: 0, has_changes: false, summary: { ...summary, adds: 0, changes: 0 } })
  const planned = await watching
  t.equal(planned.code, 2, 'planned with changes')
  t.match(uncoloured(planned.stdout), /plan of acme\/infra #\d+ at .+: plan\w+ .*\nwave 1 {2}[█·]{10} {2}\d \w+/)
  t.match(uncoloured(planned.stdout), /\n1 +app +noop/, 'and at last it is shown as it ended')
  t.equal((await watched(id, ['--changes-ok'])).code, 0)

  const { applyId } = await applying(world, [['base'], ['top']])
  const moving = ask(['run', applyId, '--watch'])
  await report(world, applyId, 'base')
  await world.settled()
  await report(world, applyId, 'top')
  const applied = await moving
  t.equal(applied.code, 0)
  t.match(
    applied.stdout,
    /^run: appl\w+\nwave 1: 1 appl\w+\nwave 2: 1 \w+\n/,
    'without a terminal it prints what changes',
  )
  t.match(applied.stdout, /\nrun: applied\n/)

  const failing = await applying(world, [['base2']])
  await report(world, failing.applyId, 'base2', 'failed')
  t.equal((await watched(failing.applyId)).code, 1)
  const lost = await applying(world, [['base3']])
  await lose(world, lost.applyId, 'base3')
  t.equal((await watched(lost.applyId)).code, 1)
  const older = await planning(world, ['old'])
  await older.pull.push({ 'notes/later.md': 'later\n' })
  await world.settled()
  const superseded = await watched(older.id, ['--json'])
  t.same([superseded.code, superseded.json.status], [3, 'superseded'])
})

t.test('the gate says what stands in the way of an apply', async (t) => {
  const { id, job } = await planning(world, ['gated'])
  await job.report(id, 'gated', { summary })
  await world.settled()
  const ran = await ask(['gate', id])
  t.equal(ran.code, 3)
  t.match(ran.stdout, /^an apply would be refused\nLAYER +VERDICT +FOUND\nconfig +pass/)
  t.match(ran.stdout, /\n✗ \w+ .+\n/)
  t.same((await ask(['gate', id, '--json'])).json, (await send(world, key, `/v1/runs/${id}/gate`)).body)
})

t.test('a policy is tried on the newest plan of a pull request before it is merged', async (t) => {
  const { id, job, pull } = await planning(world, ['tried'])
  await job.report(id, 'tried', { summary })
  await world.settled()
  const at = ['--pr', String(pull.number), '--repo=acme/infra']
  const cwd = t.testdir({ 'next.yml': 'version: 1\napply: { approvals: 0 }\n', 'wrong.yml': 'version: 2\n' })
  t.equal((await ask(['gate', ...at])).code, 3, 'by the default branch it is refused')
  const open = await ask(['gate', ...at, '--config', 'next.yml'], { cwd })
  t.match(open, { code: 0, stdout: /^an apply would pass by next\.yml, which decides nothing\nLAYER/ }, open.stderr)
  const config = 'version: 1\napply: { approvals: 0 }\n'
  const said = await ask(['gate', id, '--config', 'next.yml', '--json'], { cwd })
  t.same(said.json, (await send(world, key, `/v1/runs/${id}/gate`, { config })).body)
  const cases: [args: string[], says: RegExp][] = [
    [[...at, '--config', 'wrong.yml'], /answered 400 invalid: config: line 1: version expected 1/],
    [[...at, '--config', 'none.yml'], /^error: --config=none\.yml: cannot be read/],
    [[id, ...at], /^error: --pr=\d+ says which run is meant: leave out/],
    [['--pr=one', '--repo=acme/infra'], /^error: --pr=one: is not the number of a pull request/],
    [['--pr=9999', '--repo=acme/infra'], /^error: pull request #9999 of acme\/infra has no plan/],
    [['--pr=1'], /^error: --repo=OWNER\/NAME: is missing/],
    [[id, '--repo=acme/infra'], /^error: --repo says whose pull request: give --pr too/],
  ]
  for (const [args, says] of cases) {
    const ran = await ask(['gate', ...args], { cwd })
    t.match(ran, { code: 1, stderr: says }, args.join(' '))
  }
})

t.test('a plan is run again, and the client says as which run', async (t) => {
  const { id, job } = await planning(world, ['again'])
  await job.report(id, 'again', { summary })
  const ran = await ask(['rerun', id])
  t.equal(ran.code, 0, ran.stderr)
  const [, begun = ''] = /^begun run (\S+), which plans again: plan of acme\/infra #\d+ at/.exec(ran.stdout) ?? []
  t.match((await send(world, key, `/v1/runs/${begun}`)).body, { rerun_of: id, trigger: 'rerequest' })
  t.match(await ask(['rerun', id]), { code: 3, stderr: /409 conflict/ }, 'but not while that is under way')
})

t.test('a lock is released with a reason, which a terminal asks for', async (t) => {
  const { applyId, pull } = await applying(world, [['one', 'two', 'three']])
  for (const stack of ['one', 'two', 'three']) await report(world, applyId, stack)
  const released = await ask(['unlock', 'one', '--repo=acme/infra', '--reason=its author left'])
  t.match(released, {
    code: 0,
    stdout: new RegExp(
      `^released acme/infra//one: it was locked by pull request #${pull.number}, which took it (?:\\d+ s|\\d min) ago`,
    ),
  })
  t.equal((await ask(['unlock', 'acme/infra//one'])).stdout, 'acme/infra//one was not locked: nothing is released\n')
  const asked = await ask(['unlock', 'acme/infra//two', '--force-state'], {
    terminal: { ...terminal, typed: 'why not\n' },
  })
  t.match(asked.stderr, /Why is acme\/infra\/\/two unlocked\? /)
  const silent = await ask(['unlock', 'acme/infra//three', '--json'], { terminal: { ...terminal, typed: '\n' } })
  t.match(silent.json, { released: [{ stack_key: 'three', pr_number: pull.number }] })
  t.match(
    (await auditOf(world, 'unlock')).map(({ actor, target, details }) => [
      actor,
      target,
      details.reason,
      details.force_state,
    ]),
    [
      ['apikey:ops', 'acme/infra//one', 'its author left', false],
      ['apikey:ops', 'acme/infra//two', 'why not', true],
      ['apikey:ops', 'acme/infra//three', undefined, false],
    ],
  )
})

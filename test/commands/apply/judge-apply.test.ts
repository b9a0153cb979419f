import t from 'tap'
import { playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'
import { answersTo, comment, newestRun, planned, policy, pushAndPlan, runsOf } from '#test/scenes/commenting.ts'
import { addKey, hostGate, planning, send, stack } from '#test/scenes/scene.ts'

const host = hostGate()
const pauses: number[] = []
const pause = async (ms: number): Promise<void> => {
  pauses.push(ms)
}
const world = await startWorld(t, { replaced: { fetch: host.fetch, pause } })
const { github, repository } = world
for (const login of ['ada', 'rob', 'eve']) repository.setPermission(login, 'write')
const key = await addKey(world)
const base = new URL(github.url).pathname.replace(/\/$/, '')

t.test('one answer lists everything that prevents an apply', async (t) => {
  await policy(world, { approvals: 2, four_eyes: true, teams: ['nobody'] })
  const { pull, job, id, stackPath } = await planning(world, ['many'])
  await job.post(`${stackPath('many')}/checks/cost`, { status: 'fail', summary: 'too dear' })
  await job.report(id, 'many')
  await pull.setDraft(true)
  await world.settled()
  const { answers } = await comment(world, pull, 'svc apply', 'ada')
  t.match(answers[0], /refused: 5 things stand in the way/)
  t.match(answers[0], /`check`: Stack many failed the check cost: too dear/)
  const layers = [...(answers[0] ?? '').matchAll(/^- `(\w+)`:/gm)].map(([, layer]) => layer)
  t.same(layers, ['permission', 'approval', 'mergeable', 'four_eyes', 'check'])
  const { body } = await send(world, key, `/v1/runs/${id}/gate`)
  t.same(
    body.failures.map((failure: { layer: string; name: string; stacks: string[] }) =>
      [failure.layer, failure.name, ...failure.stacks].join(' '),
    ),
    ['approval approvals', 'mergeable draft', 'check cost many'],
    'and the dry run lists all that does not depend on the requester',
  )
})

t.test('mergeability that is still being computed is asked for again, and then counts as unknown', async (t) => {
  await policy(world, {})
  const { pull } = await planned(world, ['slow'])
  let answers = 0
  const path = `${base}/repos/acme/infra/pulls/${pull.number}`
  host.change((asked, body) => {
    if (asked !== path) return body
    answers += 1
    return answers > 3 ? body : { ...body, mergeable: null, mergeable_state: 'unknown' }
  })
  pauses.length = 0
  const known = await comment(world, pull, 'svc help')
  t.match(known.answers[0], /`mergeable` \| ✅/)
  t.same(new Set(pauses), new Set([1000]))
  host.change((asked, body) => (asked === path ? { ...body, mergeable: null, mergeable_state: 'unknown' } : body))
  pauses.length = 0
  const unknown = await comment(world, pull, 'svc apply')
  host.change(undefined)
  t.match(unknown.answers[0], /`mergeable`: Whether the pull request can be merged is not known yet/)
  t.equal(pauses.length, 4, 'asked five times')
})

t.test('the gate of a plan run is shown without an apply, and other runs have none', async (t) => {
  await policy(world, {})
  const { pull, id } = await planned(world, ['dry'])
  const gate = await send(world, key, `/v1/runs/${id}/gate`)
  t.equal(gate.status, 200)
  t.match(gate.body, { allowed: true, failures: [] })
  t.same(
    gate.body.facts.map((fact: { layer: string; verdict: string }) => `${fact.layer} ${fact.verdict}`),
    [
      'config pass',
      'mode pass',
      'permission unknown',
      'approval off',
      'mergeable pass',
      'base pass',
      'code_owners off',
      'four_eyes off',
      'plan pass',
      'check pass',
      'lock pass',
      'in_flight pass',
    ],
  )
  t.match(
    gate.body.facts.find((fact: { layer: string }) => fact.layer === 'plan').evidence,
    [{ holds: true, sha: pull.headSha(), run_id: id }],
    'with the evidence',
  )
  t.same(await runsOf(world, pull, 'apply'), [], 'and nothing is applied')
  await comment(world, pull, 'svc apply')
  const applyId = await newestRun(world, pull, 'apply')
  const nowhere = await send(world, key, '/v1/runs/00000000-0000-4000-8000-000000000000/gate')
  t.match(nowhere, { status: 404, body: { code: 'not_found' } })
  await pushAndPlan(world, pull, ['dry'])
  const { body } = await send(world, key, `/v1/runs/${id}/gate`)
  t.match(body, {
    allowed: false,
    failures: [
      { layer: 'plan', name: 'head' },
      { layer: 'in_flight', name: applyId },
    ],
  })
})

t.test('an apply takes the head that was planned when its comment came, and no later one', async (t) => {
  await policy(world, {})
  const { pull } = await planned(world, ['seen'])
  const held = host.hold(`${base}/repos/acme/infra/pulls/${pull.number}`)
  const { id } = pull.comment('svc apply', 'rob')
  await held.arrived
  // while the command waits for the code host
  await pull.push({ 'notes/unseen.md': 'unseen\n' })
  const job = playJob(world, pull)
  const runId = String((await job.open()).body.run_id)
  await job.upload(runId, { graph: { stacks: [stack('seen')] }, stacks: ['seen'] })
  await job.report(runId, 'seen')
  held.release()
  await world.settled()
  t.same(await runsOf(world, pull, 'apply'), [])
  t.match(answersTo(pull, `comment ${id}`), [/`plan`: The head moved from \w+ to \w+ after the apply was asked for/])
})

t.test('a pull request whose base changes while its apply begins is not applied', async (t) => {
  const base_branches = ['main', 'mine']
  await policy(world, { base_branches })
  const { pull, id } = await planned(world, ['rebased'])
  const path = `${base}/repos/acme/infra/pulls/${pull.number}`
  let asked = 0
  host.change((of, body) => {
    if (of !== path) return body
    asked += 1
    return asked === 1 ? body : { ...body, base: { ...body.base, ref: 'mine' } }
  })
  const { answers } = await comment(world, pull, 'svc apply')
  t.same(await runsOf(world, pull, 'apply'), [], 'a plan against the former base is not applied')
  t.match(answers, [/`plan`: A newer commit has replaced the planned one/])
  await policy(world, { base_branches, code_owners: true })
  const reads = world.github.faults.add({
    kind: 'request',
    path: /CODEOWNERS$/,
    effect: { status: 400, message: 'no' },
  })
  const { body } = await send(world, key, `/v1/runs/${id}/gate`)
  host.change(undefined)
  reads.remove()
  t.match(
    body.failures.filter(({ layer }: { layer: string }) => layer === 'code_owners'),
    [{ name: 'base', reason: /goes into mine, .*Change its base to the default branch/ }],
    'and the file of that base is not read',
  )
})

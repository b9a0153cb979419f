import t from 'tap'
import { applying, auditOf } from '#test/scenes/applying.ts'
import { answersTo, comment, policy, pushPolicy, reactionsTo, runsOf } from '#test/scenes/commenting.ts'
import { addKey, planning, query, send } from '#test/scenes/scene.ts'
import { post, twoOrganisations } from '#test/scenes/two-organisations.ts'

const { world, grace, olga, rita } = await twoOrganisations(t)
const { github, repository } = world
github.organization('acme').team('sre').add('olga')
const key = await addKey(world)
const held = await applying(world, [['network']])
const planned = await planning(world, ['app'])
await planned.job.report(planned.id, 'app', { status: 'failure', exit_code: 1 })
await world.settled()
const stackId: string = (await query(world, `select id from stacks where key = 'network'`))[0]?.id
const lockState = async () => (await query(world, `select state from locks where stack_id = '${stackId}'`))[0]?.state
const byTeam = { plan: { teams: ['sre'] }, unlock: { teams: ['sre'] }, rerun: { teams: ['sre'] } }

const refusals = (says: RegExp) =>
  [
    [`/v1/runs/${planned.id}/rerun`, undefined, says],
    [`/v1/stacks/${stackId}/unlock`, undefined, says],
    ['/v1/unlock', { repo: 'acme/infra', stack_key: 'network' }, says],
  ] as const

t.test('over the API somebody outside of the teams is refused, and told which', async (t) => {
  await policy(world, {}, byTeam)
  for (const [path, body, message] of refusals(/^grace is not in the team that may .*: acme\/sre \(\w+\.teams\)$/))
    t.match(await post(grace, path, body), { status: 403, json: { code: 'forbidden', message } }, path)
  for (const [path, body, message] of refusals(/push permission/))
    t.match(await post(rita, path, body), { status: 403, json: { message } }, `${path}: push permission comes first`)
  t.match(await lockState(), /^held/)
  t.same([await auditOf(world, 'unlock'), await auditOf(world, 'rerun')], [[], []])
})

t.test('a comment by somebody outside of the teams is answered with who may', async (t) => {
  const { pull } = planned
  for (const [verb, act] of [
    ['plan', 'plan by a comment'],
    ['unlock', 'release locks'],
  ] as const) {
    const { reactions, answers } = await comment(world, verb === 'plan' ? pull : held.pull, `svc ${verb}`, 'grace')
    t.same(reactions, ['eyes'], verb)
    t.match(answers, [
      new RegExp(
        `\`svc ${verb}\` was not carried out.*grace is not in the team that may ${act}: acme/sre.*\`${verb}\\.teams\``,
        's',
      ),
    ])
  }
  t.match((await comment(world, pull, 'svc help', 'grace')).answers, [/### Commands/], 'help is for all who may push')
  t.same(await runsOf(world, pull, 'plan'), [])
  t.match(await lockState(), /^held/)
})

t.test("a check's re-run on the code host's pages is ignored, and audited", async (t) => {
  const check = planned.pull.checkRuns().find(({ name }) => name === 'svc/plan: app')
  planned.pull.rerequestCheck(check?.id ?? 0, 'grace')
  await world.settled()
  t.same(await runsOf(world, planned.pull, 'plan', 'rerequest'), [])
  t.match(await auditOf(world, 'command_ignored'), [{ actor: 'grace', details: { verb: 'rerun' } }])
})

t.test("a pull request's own file lets nobody do more", async (t) => {
  await held.pull.push({ 'svc.yml': '{ version: 1 }\n' })
  await world.settled()
  const { answers } = await comment(world, held.pull, 'svc unlock', 'grace')
  t.match(answers, [/grace is not in the team/])
  t.match(await lockState(), /^held/)
})

t.test('a team that the code host does not tell of lets nobody in', async (t) => {
  await policy(world, {}, { unlock: { teams: ['gone'] } })
  const message = /does not say whether olga is in acme\/gone/
  t.match(await post(olga, `/v1/stacks/${stackId}/unlock`), { status: 403, json: { message } })
})

t.test(
  'under a file that cannot be read who administers the repository may, and an API key, and nobody else',
  async (t) => {
    await pushPolicy(world, 'version: 1\nunlock:\n  team: [sre]\n')
    for (const [path, body, message] of refusals(
      /svc\.yml of the default branch is invalid in line 3: unlock\.team 'team'/,
    ))
      t.match(await post(grace, path, body), { status: 403, json: { message } }, path)
    const { answers } = await comment(world, held.pull, 'svc unlock', 'grace')
    t.match(answers, [/svc\.yml of the default branch is invalid/])
    t.match(await lockState(), /^held/)
    t.equal((await send(world, key, `/v1/runs/${planned.id}/rerun`, '')).status, 201)
    t.match(await post(olga, `/v1/stacks/${stackId}/unlock`), {
      status: 200,
      json: { released: [{ stack_key: 'network' }] },
    })
    const plans = await comment(world, planned.pull, 'svc plan', 'olga')
    t.notMatch(
      plans.answers.join('\n'),
      /svc\.yml of the default branch is invalid/,
      'nor is their comment refused for it',
    )
    await policy(world, {}, { unlock: { teams: ['gone'] } })
    t.match(
      await post(olga, `/v1/stacks/${stackId}/unlock`),
      { status: 403, json: { message: /is in acme\/gone/ } },
      'a file that can be read binds them too',
    )
    repository.setPermission('olga', 'write')
  },
)

t.test('a member plans again, unlocks and is rerequested', async (t) => {
  await policy(world, {}, byTeam)
  const again = await planning(world, ['again'])
  await again.job.report(again.id, 'again', { status: 'failure', exit_code: 1 })
  await world.settled()
  t.match(await post(olga, `/v1/runs/${again.id}/rerun`), { status: 201 })
  const third = await planning(world, ['third'])
  await third.job.report(third.id, 'third')
  await world.settled()
  const { id } = third.pull.comment('svc plan', 'olga')
  await world.settled()
  t.same([reactionsTo(third.pull, id), answersTo(third.pull, `comment ${id}`)], [['eyes', 'rocket'], []])
  await applying(world, [['other']])
  const [row] = await query(world, `select id from stacks where key = 'other'`)
  t.match(await post(olga, `/v1/stacks/${row?.id}/unlock`), {
    status: 200,
    json: { released: [{ stack_key: 'other' }] },
  })
  t.equal(repository.fullName, 'acme/infra')
})

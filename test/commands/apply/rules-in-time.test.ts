import t from 'tap'
import { longestTurn } from '#test/helpers/longest-turn.ts'
import { comment, planned, policy } from '#test/scenes/commenting.ts'
import { ask, post, twoOrganisations } from '#test/scenes/two-organisations.ts'

const { world, grace } = await twoOrganisations(t)
const keys = Array.from({ length: 30 }, (_, i) => `${'a'.repeat(900)}${i}`)
const { id, pull } = await planned(world, keys)
const path = `/v1/runs/${id}/gate`

const slow = {
  apply: { approvals: 0, rules: [{ tag: 'x', mode: 'off' }] },
  stacks: Array.from({ length: 400 }, (_, i) => ({ match: `*${'a'.repeat(280)}${i}b`, tags: ['x'] })),
}
const reason = /takes more than 2 s to match against the stacks of the plan .*use fewer globs/

t.test('a file that takes too long to match is not tried to its end, and holds nobody up', async (t) => {
  const config = JSON.stringify({ version: 1, ...slow })
  const longest = longestTurn()
  const answer = await post(grace, path, { config })
  const ms = longest()
  t.match(answer, { status: 400, json: { code: 'invalid', details: { field: 'config', reason } } })
  t.ok(ms < 50, `${Math.round(ms)} ms`)
})

t.test('nothing is applied by one that takes too long, and the answers say why', async (t) => {
  await policy(world, slow.apply, { stacks: slow.stacks })
  await world.settled()
  const { json } = await ask(grace, path)
  t.match(json, { allowed: false, failures: [{ layer: 'config', reason }] })
  const { answers } = await comment(world, pull, 'svc apply', 'grace')
  t.match(answers, [reason])
  t.same(await ask(grace, `/v1/runs?repo=acme/infra&mode=apply`).then(({ json }) => json.items), [])
})

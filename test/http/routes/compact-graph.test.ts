import t from 'tap'
import { startWorld } from '#test/helpers/world.ts'
import { addKey, dependsOn, planning, query, send } from '#test/scenes/scene.ts'

const world = await startWorld(t)
const key = await addKey(world)
const get = (path: string) => send(world, key, path)
const url = '/v1/repos/acme/infra'
const first = await planning(world, ['network', 'app'], [dependsOn('app', 'network')])

t.test('the compact form has each key once, and the waves of all stacks', async (t) => {
  const { sha } = (await get(`${url}/graph`)).body
  const graph = {
    ...{ keys: ['network', 'app'], stacks: 2, external: [], kinds: ['uses_module', 'depends_on', 'reads_state'] },
    ...{ edges: [[1, 0, 1]], waves: [[0], [1]] },
  }
  t.same((await get(`${url}/graph?form=compact`)).body, { repo: 'acme/infra', sha, graph })
  t.same((await get(`${url}/graph?form=compact&run=${first.id}`)).body, { repo: 'acme/infra', sha, graph })
})

t.test('a graph that was recorded before there was a compact form says so', async (t) => {
  await query(world, `update graphs set tree_hash = compact, compact = null returning id`)
  const answer = await get(`${url}/graph?form=compact`)
  t.match(answer, { status: 404, body: { code: 'not_found', message: /before there was a compact form/ } })
  await query(world, `update graphs set compact = tree_hash returning id`)
})

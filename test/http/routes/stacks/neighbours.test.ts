import t from 'tap'
import { startWorld } from '#test/helpers/world.ts'
import { crossRepositoryScene, external, reads } from '#test/scenes/cross-repository.ts'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { addKey, dependsOn, query, send, stack } from '#test/scenes/scene.ts'
import type { Json } from '#test/scenes/served.ts'

/* What is next to a stack, over repositories: acme/app reads the state of a stack of acme/infra, and so does one that may not be seen. */

const world = await startWorld(t, { files: withWorkflow })
world.github.createInstallation({ account: 'other', type: 'Organization' })
const key = await addKey(world)
const { merge, repositoryWith } = crossRepositoryScene(world, key)
await merge(world, {
  stacks: [stack('net'), stack('dns'), { key: 'vpc:eu', path: 'vpc', instance: 'eu' }],
  edges: [dependsOn('dns', 'net')],
})
await repositoryWith('acme/app', {
  stacks: [stack('api'), stack('web'), external('Acme/infra//net'), external('acme/infra//vpc')],
  edges: [reads('api', 'Acme/infra//net'), dependsOn('web', 'api'), dependsOn('web', 'acme/infra//vpc')],
})
await repositoryWith('other/app', {
  stacks: [stack('spy'), external('acme/infra//net')],
  edges: [reads('spy', 'acme/infra//net')],
})

const neighboursOf = async (repo: string, name: string): Promise<string[]> => {
  const [found] = await query(
    world,
    `select s.id from stacks s join repositories p on p.id = s.repo_id where p.full_name = '${repo}' and s.key = '${name}'`,
  )
  const { neighbours = [] } = (await send(world, key, `/v1/stacks/${found?.id}`)).body
  return neighbours.map((one: Json) => `${one.relation} ${one.repo}//${one.key}`)
}

t.test('what needs a stack, in its own repository and in others of its account', async (t) => {
  t.same(await neighboursOf('acme/infra', 'net'), ['dependent acme/app//api', 'dependent acme/infra//dns'])
  t.same(await neighboursOf('acme/infra', 'dns'), ['dependency acme/infra//net'])
})

t.test('what a stack needs there, however its configuration spells the name', async (t) => {
  t.same(await neighboursOf('acme/app', 'api'), ['dependency acme/infra//net', 'dependent acme/app//web'])
})

t.test('a directory is all of its instances', async (t) => {
  t.same(await neighboursOf('acme/app', 'web'), ['dependency acme/app//api', 'dependency acme/infra//vpc:eu'])
  t.same(await neighboursOf('acme/infra', 'vpc:eu'), ['dependent acme/app//web'])
})

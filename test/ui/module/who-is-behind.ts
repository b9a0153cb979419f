import { randomUUID } from 'node:crypto'
import type { World } from '#test/helpers/world.ts'
import { external, reads } from '#test/scenes/cross-repository.ts'
import { planning, query } from '#test/scenes/scene.ts'

/*
 * A module with five versions, and stacks of two repositories that ask for some of them; another that has no version. A stack of
 * one repository reads the state of one of the other.
 */

const net = 'acme/mods//net'

const asked: Record<string, Record<string, string>> = {
  shop: { 'apps/admin': 'net/v1.0.0', 'apps/web': 'net/v1.1.0', 'data/main': 'net/v2.0.0', 'data/lab': 'main' },
  edge: { cdn: 'net/v1.0.0', routes: 'net/v2.0.0' },
}

const uses = (from: string, to: string, ref?: string) => ({
  from: { kind: 'stack', key: from },
  to: { kind: 'module', key: to },
  type: 'uses_module',
  ...(ref === undefined ? {} : { meta: { ref } }),
})

type Elsewhere = { stacks?: object[]; edges?: object[] }

const merged = async (
  at: World,
  refs: Record<string, string>,
  { stacks = [], edges = [] }: Elsewhere = {},
): Promise<void> => {
  const keys = Object.keys(refs)
  const { pull, job, id } = await planning(at, keys)
  const graph = {
    stacks: [...keys.map((path) => ({ key: path, path })), ...stacks],
    modules: [
      { key: net, kind: 'git', source: 'https://github.com/acme/mods' },
      { key: `${at.repository.fullName}//modules/label`, kind: 'local', path: 'modules/label' },
    ],
    edges: [
      ...Object.entries(refs).map(([key, ref]) => uses(key, net, ref)),
      uses(keys[0] ?? '', `${at.repository.fullName}//modules/label`),
      ...edges,
    ],
    tree_hash: randomUUID(),
  }
  const answer = await job.upload(id, { graph, stacks: keys })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  await pull.merge()
  await at.settled()
}

/** Answers the module's id. */
export const tellWhoIsBehind = async (world: World): Promise<string> => {
  const mods = await world.github.createRepository({ owner: 'acme', name: 'mods', files: { 'net/main.tf': '#\n' } })
  const files = { 'svc.yml': 'version: 1\n' }
  const shop = await world.github.createRepository({ owner: 'acme', name: 'shop', files })
  const edge = await world.github.createRepository({ owner: 'acme', name: 'edge', files })
  for (const repository of [shop, edge]) repository.setPermission('ada', 'write')
  await query(world, `insert into jobs (queue, kind, payload) values ('jobs', 'sync_installations', '{}') returning id`)
  await world.settled()
  const tags = ['v1.0.0', 'v1.1.0', 'v1.1.1', 'v1.2.0', 'v1.2.1', 'v2.0.0']
  for (const tag of tags) await mods.pushTags({ name: `net/${tag}`, message: tag })
  await merged({ ...world, repository: shop }, asked.shop ?? {})
  await merged({ ...world, repository: edge }, asked.edge ?? {}, {
    stacks: [external('acme/shop//apps/web')],
    edges: [reads('routes', 'acme/shop//apps/web')],
  })
  const [found] = await query(world, `select id from modules where key = '${net}'`)
  return String(found?.id)
}

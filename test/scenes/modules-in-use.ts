import { randomUUID } from 'node:crypto'
import type { World } from '#test/helpers/world.ts'
import { planning } from './scene.ts'

/** An edge from `stack a` or `module m` to a module that it uses. */
export const use = (from: string, to: string, ref?: string) => {
  const [kind, name] = from.split(' ')
  const end = { from: { kind, key: name }, to: { kind: 'module', key: to }, type: 'uses_module' }
  return ref === undefined ? end : { ...end, meta: { ref } }
}

export const git = (name: string) => ({ key: name, kind: 'git', source: `https://github.com/${name}` })

/** Merges a graph of these stacks and modules, which becomes the default branch's. */
export const merged = async (at: World, stacks: string[], modules: object[], edges: object[]) => {
  const { pull, job, id } = await planning(at, stacks)
  const graph = { stacks: stacks.map((path) => ({ key: path, path })), modules, edges, tree_hash: randomUUID() }
  const answer = await job.upload(id, { graph, stacks })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  await pull.merge()
  await at.settled()
}

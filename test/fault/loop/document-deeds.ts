import { query } from '#test/scenes/scene.ts'
import type { CallerName } from '../fuzz/callers.ts'
import { createDice } from '../fuzz/dice.ts'
import { type NamedOperation, operationsOf, type Schema } from '../fuzz/document.ts'
import type { Deed } from './deed.ts'
import { fullBodies } from './full-bodies.ts'
import type { Loop } from './open-loop.ts'
import { send } from './send.ts'

const mebibyte = 1024 * 1024

const callerOf: Readonly<Record<string, CallerName>> = { runner: 'runner', session: 'person', apiKey: 'key' }

/** Every route of the API's document, with every body that is as large as the route takes it, by each kind of caller it knows. */
export const documentDeeds = (loop: Loop): Deed[] =>
  operationsOf(loop.document)
    .filter(({ path }) => path.startsWith('/v1/'))
    .flatMap((asked) => (asked.method === 'GET' ? [reading(loop, asked)] : writing(loop, asked)))

const dice = createDice(1)

const callersOf = ({ operation: { security = [] } }: NamedOperation): CallerName[] => {
  const names = security.flatMap((one) => Object.keys(one)).flatMap((name) => callerOf[name] ?? [])
  // what a person may do a key may do as well
  return names.length === 0 ? ['nobody'] : names.filter((name) => name !== 'person' || !names.includes('key'))
}

const reading = (loop: Loop, asked: NamedOperation): Deed => ({
  name: `${asked.method} ${asked.path}`,
  do: async () => {
    const path = await placeOf(loop, asked)
    for (const caller of callersOf(asked)) await once(loop, caller, { method: 'GET', path })
  },
})

const writing = (loop: Loop, asked: NamedOperation): Deed[] => {
  const bytes = (asked.path.endsWith('/graph') ? 8 : 1) * mebibyte
  const schema: Schema = asked.operation.requestBody?.content['application/json']?.schema ?? { type: 'object' }
  const filling = { document: loop.document, bytes }
  return callersOf(asked).flatMap((caller) =>
    fullBodies(filling, schema, givenTo(loop, asked, caller)).map(({ filledBy, body }) => ({
      name: `${asked.method} ${asked.path} by ${caller}: ${filledBy}`,
      do: async () => {
        const path = await placeOf(loop, asked)
        await once(loop, caller, { method: asked.method, path, body })
      },
    })),
  )
}

const once = async (
  { process, prove }: Loop,
  caller: CallerName,
  { method, path, body }: { method: string; path: string; body?: Buffer },
): Promise<void> => {
  const proof = await prove(caller, { method, path, headers: {}, body }, dice)
  await send(process.address, { method, path, headers: { 'content-type': 'application/json', ...proof }, body })
}

/** The fields that a request is refused for at once where they are not there. */
const givenTo = ({ world, pull }: Loop, { path }: NamedOperation, caller: CallerName): Record<string, unknown> => {
  const repo = world.repository.fullName
  const sha = pull.headSha()
  if (path === '/v1/runs')
    return caller === 'key'
      ? { repo, sha, mode: 'apply', trigger: 'manual', stacks: ['a'] }
      : { repo, sha, pr_number: pull.number, mode: 'plan' }
  if (path.endsWith('/graph'))
    return { graph: { repo, sha, tree_hash: 'tree', stacks: [] }, config: { version: 1, tool: 'terraform' } }
  if (path.endsWith('/result')) return { mode: 'plan', status: 'success', exit_code: 0, has_changes: false }
  if (path.endsWith('/checks/{name}')) return { status: 'pass' }
  return { repo, key: 'a', reason: 'a reason' }
}

/** The path, of what there is most of, and the longest page. */
const placeOf = async ({ world, large, runId }: Loop, { path, method, operation }: NamedOperation): Promise<string> => {
  const { owner, name: repo, id: repoId } = world.repository
  const run = method === 'GET' ? (large.runId ?? runId) : runId
  const [row] = await query(world, `select id from stacks where repo_id = ${repoId} order by key limit 1`)
  const id = path.startsWith('/v1/stacks/') ? row?.id : run
  const values: Readonly<Record<string, string>> = { owner, repo, id, run, kind: 'run', key: 'a', name: 'cost' }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? 'x'))
  const parameters = (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name)
  if (parameters.includes('limit')) return `${filled}?limit=500`
  return path.endsWith('/graph') && method === 'GET' ? `${filled}?run=${run}` : filled
}

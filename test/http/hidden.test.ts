import t from 'tap'
import { applying } from '#test/scenes/applying.ts'
import type { Answer } from '#test/scenes/people.ts'
import { query } from '#test/scenes/scene.ts'
import type { Json } from '#test/scenes/served.ts'
import { ask, post, twoOrganisations } from '#test/scenes/two-organisations.ts'

/*
 * A member of another organisation tries everything that the API document offers people: every operation, with every id there
 * is in every parameter. This covers later routes too, without a line here.
 */

const { world, olga, eve } = await twoOrganisations(t)
const held = await applying(world, [['network'], ['app']])
await world.settled()

const idsOf = async (select: string): Promise<string[]> => (await query(world, select)).map(({ id }) => String(id))

const runs = await idsOf('select id from runs')
const stacks = await idsOf('select id from stacks')
const ids = [
  ...runs,
  ...stacks,
  ...(await idsOf(`select run_id || ':' || stack_id as id from run_stacks`)),
  ...(await idsOf('select id from dispatches')),
  ...(await idsOf('select id from graphs')),
  ...(await idsOf('select id from jobs order by id limit 3')),
]
/** What of acme a member of other may never read, except in their own words. */
const secrets = [...runs, ...stacks, 'acme/infra', held.pull.headSha(), '"network"', '"app"']

/** Values to try for a parameter, by its name in the document. */
const values = (name: string): string[] => {
  if (name === 'id') return ids
  if (name === 'kind') return ['run', 'stack', 'lock', 'dispatch']
  if (name === 'owner') return ['acme', 'ACME']
  if (name === 'repo') return ['infra', 'acme/infra']
  if (name === 'key') return ['network']
  if (name === 'run') return runs
  if (name === 'stack') return stacks
  if (name === 'pr') return [String(held.pull.number)]
  if (name === 'state') return ['held.claimed', 'dead']
  if (name === 'since') return ['0', '1']
  if (name === 'text') return ['none']
  if (name === 'ref') return ['default', held.pull.headSha(), held.pull.headSha().slice(0, 7)]
  if (name === 'seq') return ['0', '1']
  if (name === 'order') return ['asc']
  if (name === 'q') return ['', 'acme', 'n']
  return []
}

type Operation = { method: string; path: string; queries: string[] }

const document: Json = (await ask(eve, '/v1/openapi.json')).json
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Json).flatMap(([method, operation]: [string, Json]): Operation[] =>
    operation.security?.some((one: object) => 'session' in one) && path !== '/auth/logout'
      ? [
          {
            method,
            path,
            queries: (operation.parameters ?? [])
              .filter((one: Json) => one.in === 'query')
              .map((one: Json) => one.name),
          },
        ]
      : [],
  ),
)

/** One by one, this would take half a minute for many ids. */
const each = async (all: string[], look: (address: string) => Promise<void>): Promise<void> => {
  const left = [...all]
  const next = async (): Promise<void> => {
    for (let address = left.shift(); address !== undefined; address = left.shift()) await look(address)
  }
  await Promise.all(Array.from({ length: 16 }, next))
}

/** Every path that the values make from a template; two parameters in all combinations. */
const filled = (template: string): string[] => {
  const [whole, name] = /\{(\w+)\}/.exec(template) ?? []
  if (whole === undefined || name === undefined) return [template]
  return values(name).flatMap((value) => filled(template.replace(whole, encodeURIComponent(value))))
}

const addresses = ({ path, queries }: Operation): string[] =>
  filled(path).flatMap((one) => [
    one,
    ...queries.flatMap((name) => values(name).map((value) => `${one}?${name}=${encodeURIComponent(value)}`)),
  ])

const told = ({ text }: Answer, asked: string): string[] =>
  secrets.filter((secret) => text.includes(secret) && !decodeURIComponent(asked).includes(secret.replaceAll('"', '')))

t.test('a member of another organisation reads nothing', async (t) => {
  t.ok(operations.length > 5, 'there is something to try')
  const reads = operations.filter(({ method }) => method === 'get')
  for (const operation of reads) {
    const wrong: string[] = []
    await each(addresses(operation), async (address) => {
      const answer = await ask(eve, address)
      const isClosed = [400, 403, 404, 409].includes(answer.status) || answer.status === 200
      if (!isClosed || told(answer, address).length > 0)
        wrong.push(`${address}: ${answer.status} ${answer.text.slice(0, 300)}`)
      // an id that is not theirs must look absent, and an empty page does not
      if (/\{(id|repo)\}/.test(operation.path) && answer.status === 200) {
        wrong.push(`${address}: is there`)
      }
    })
    t.same(wrong, [], `${operation.method} ${operation.path}`)
  }
})

t.test('a member of the organisation reads the same, or the test above would prove nothing', async (t) => {
  const seen = new Set<string>()
  for (const operation of operations.filter(({ method }) => method === 'get')) {
    await each(addresses(operation), async (address) => {
      const answer = await ask(olga, address)
      if (answer.status === 200 && told(answer, address).length > 0) seen.add(operation.path)
    })
  }
  for (const path of [
    '/v1/runs/{id}',
    '/v1/runs/{id}/timeline',
    '/v1/runs/{id}/dispatches',
    '/v1/runs/{id}/stacks/{key}',
    '/v1/locks',
  ])
    t.ok(seen.has(path), path)
})

t.test('a member of another organisation changes nothing', async (t) => {
  const state = () =>
    query(
      world,
      `select (select count(*) from runs) as runs, (select count(*) from jobs) as jobs,
      (select count(*) from audit) as audit, (select string_agg(state, ',' order by stack_id) from locks) as locks`,
    )
  const before = await state()
  for (const operation of operations.filter(({ method }) => method === 'post')) {
    const wrong: string[] = []
    await each(addresses(operation), async (address) => {
      for (const body of [undefined, { repo: 'acme/infra', stack_key: 'network' }]) {
        const answer = await post(eve, address, body)
        if (answer.status < 400 || answer.status >= 500) wrong.push(`${address}: ${answer.status} ${answer.text}`)
      }
    })
    t.same(wrong, [], `${operation.method} ${operation.path}`)
  }
  t.same(await state(), before)
})

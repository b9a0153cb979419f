import { createHash, randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { z } from 'zod'
import { sql } from '#db/sql.ts'
import type { PullRequestHandle } from '#emulator/handles.ts'
import type { Replacements } from '#service.ts'
import { startInstance } from '#test/helpers/instance.ts'
import { type Answer, type JobIdentity, playJob } from '#test/helpers/runner.ts'
import type { World } from '#test/helpers/world.ts'

export const stack = (path: string, more: object = {}) => ({ key: path, path, ...more })

export const dependsOn = (from: string, to: string) => ({
  from: { kind: 'stack', key: from },
  to: { kind: 'stack', key: to },
  type: 'depends_on',
})

/** Where pull requests are opened and planned. */
type Site = Pick<World, 'github' | 'repository' | 'service'>

let branches = 0

/** A pull request from a new branch. */
export const openPull = (world: Site, changes: Record<string, string | null>): Promise<PullRequestHandle> => {
  branches += 1
  return world.github.openPullRequest({
    repo: world.repository.fullName,
    branch: `change-${branches}`,
    title: 'A change',
    author: 'ada',
    changes: { [`notes/${branches}.md`]: 'new\n', ...changes },
  })
}

/** A pull request with these changes, its job and its run, which waits for its graph. */
export const opened = async (world: Site, changes: Record<string, string | null> = {}, identity: JobIdentity = {}) => {
  const pull = await openPull(world, changes)
  const job = playJob(world, pull, identity)
  return { pull, job, id: String((await job.open()).body.run_id) }
}

/** `key: reasons via keys` of each affected stack of an answer. */
export const why = ({ body }: Answer): string[] =>
  (body.affected ?? []).map(
    (one: { key: string; reasons: string[]; via?: string[] }) =>
      `${one.key}: ${one.reasons.join(' ')}${one.via ? ` via ${one.via.join(' ')}` : ''}`,
  )

/** A pull request whose run is open and, from its graph, planning these stacks. `more` is what their nodes have besides. */
export const planning = async (
  world: Site,
  paths: string[],
  edges: object[] = [],
  more: (path: string) => object = () => ({}),
) => {
  const { pull, job, id } = await opened(world)
  const graph = { stacks: paths.map((path) => stack(path, more(path))), edges }
  const resolved = await job.upload(id, { graph, stacks: paths })
  if (resolved.status !== 200) throw new Error(JSON.stringify(resolved.body))
  const stackPath = (key: string) => `/v1/runs/${id}/stacks/${encodeURIComponent(key)}`
  return { pull, job, id, graph, stackPath }
}

/** Another instance of the same service: on the same database, for the same code host. */
export const secondInstance = async (t: Test, world: World, replaced: Replacements = {}): Promise<World> => {
  return { ...world, service: await startInstance(t, world.env, replaced) }
}

/** A request with the given credential. */
export const send = async (world: World, credential: string, path: string, body?: unknown): Promise<Answer> => {
  const response = await fetch(`${world.service.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

export const addKey = async (world: World, name = 'ci'): Promise<string> => {
  const key = `sk_${randomUUID()}`
  const hash = createHash('sha256').update(key).digest('hex')
  await query(
    world,
    `insert into api_keys (name, key_hash, prefix, created_by) values ('${name}', '${hash}', 'sk_', 'test')`,
  )
  return key
}

const Row = z.record(z.string(), z.any())
type Row = z.infer<typeof Row>

/** A look into the database, or a change behind the service's back. */
export const query = (world: World, text: string): Promise<readonly Row[]> =>
  world.pool.any({ ...sql.type(Row)``, sql: text })

/** Rows that contradict each other; none if nothing is under way. A run's tallies must be the counts of its rows. */
export const disagreements = (world: World): Promise<readonly Row[]> =>
  query(
    world,
    `select r.id, r.status, t.total, t.open, s.rows, s.unsettled
     from runs r
     cross join lateral (
       select coalesce(sum((w->>'total')::int), 0) as total, coalesce(sum((w->>'open')::int), 0) as open
       from jsonb_array_elements(r.snapshot->'context'->'tallies') w) t
     cross join lateral (
       select count(*) as rows, count(*) filter (where status in ('pending', 'planning', 'applying')) as unsettled
       from run_stacks where run_id = r.id) s
     where t.total <> s.rows or t.open <> s.unsettled`,
  )

/**
 * Stands between the service and the code host: `hold` keeps back the next answer to a path until it is released, or, for a
 * method that writes, the next request; `change` alters the answers that come.
 */
export const hostGate = () => {
  type Held = { method: string; path: string; arrived: () => void; released: Promise<void> }
  const holds: Held[] = []
  let change: ((path: string, body: Row) => Row) | undefined
  const gated: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const { method } = request
    const path = new URL(request.url).pathname
    const wait = async (): Promise<void> => {
      const held = holds.find((one) => one.method === method && one.path === path)
      if (!held) return
      holds.splice(holds.indexOf(held), 1)
      held.arrived()
      await held.released
    }
    if (method !== 'GET') await wait()
    const response = await fetch(request)
    const text = await response.text()
    if (method === 'GET') await wait()
    const type = response.headers.get('content-type') ?? ''
    // files come raw, but under a type that ends in json
    const isJson = method === 'GET' && response.ok && type.includes('json') && !type.includes('raw')
    const body = isJson && change ? JSON.stringify(change(path, JSON.parse(text))) : text
    const headers = new Headers(response.headers)
    for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name)
    return new Response(response.status === 204 || response.status === 304 ? null : body, {
      status: response.status,
      headers,
    })
  }
  return {
    fetch: gated,
    change: (by: typeof change) => {
      change = by
    },
    hold: (path: string, method = 'GET') => {
      const { promise: arrived, resolve: onArrived } = Promise.withResolvers<void>()
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      holds.push({ method, path, arrived: onArrived, released })
      return { arrived, release }
    },
  }
}

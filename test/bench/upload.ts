import { Client } from 'pg'
import { z } from 'zod'
import { beginRun } from '#commands/runs/begin-run.ts'
import { sql } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { analyse, seedRepository } from '#test/helpers/seed.ts'
import type { Turns } from '../fault/loop/turns.ts'
import type { Bench, Measurement } from './harness/measure.ts'
import { send } from './load/load.ts'
import { makeGraph } from './resolve-graph.ts'
import { openPlace, type Place, type Side } from './service/place.ts'
import { addRows, type StoredRows, storedRows } from './upload/stored-upload.ts'

/*
 * The upload of 6,000 stacks with 30,000 edges, 8 MB, over HTTP until its answer: the first of a repository, which plans every
 * stack, and a later one with 50 changed paths. The floor parses the same body and adds the very rows that ours has written with
 * one COPY a table, in one transaction. And how long an upload holds the event loop at most, by the thread's own time.
 */

const stacks = 6000
const { graph, changedPaths } = makeGraph(stacks, 50)
const everyPath = graph.stacks.map(({ path }) => `${path}/main.tf`)

let place: Place
let floor: Client
let trees = 0

const open = async (): Promise<void> => {
  place = await openPlace('upload', { preload: new URL('../fault/loop/turns.ts', import.meta.url).href })
  floor = new Client(place.floor.url)
  await floor.connect()
}

const close = async (): Promise<void> => {
  await floor.end()
  await place.stop()
}

/** Forgets the repository and all that is known of it. */
const forget = async ({ url, pool }: Side): Promise<void> => {
  await place.idle()
  await pool.query(sql.type(z.object({}))`truncate installations, journal, jobs, results, run_stacks cascade`)
  await seedRepository(pool)
  await analyse(url)
}

const newRun = ({ pool, runtime }: Side): Promise<string> =>
  transact(pool, (tx) =>
    beginRun(
      runtime,
      tx,
      {
        ...{ repo_id: 1, pr_number: 1, sha: graph.sha, base_sha: null, mode: 'plan', trigger: 'pull_request' },
        ...{ requested_by: 'bench', workflow_run_id: 1, workflow_run_attempt: 1, created_at: new Date() },
      },
      { actor: 'bench' },
    ),
  )

const bodyWith = (changed_paths: string[]): string =>
  JSON.stringify({
    graph: { ...graph, tree_hash: `tree ${trees++}` },
    changed_paths,
    config: { version: 1, tool: 'terraform' },
  })

type Uploaded = { runId: string; ms: number }

const upload = async (body: string): Promise<Uploaded> => {
  const runId = await newRun(place.service)
  const headers = { authorization: `Bearer ${await place.issuer.mint()}` }
  const { cost } = await send(place.service.address, 1, [{ path: `/v1/runs/${runId}/graph`, headers, body }])
  return { runId, ms: cost / 1000 }
}

const parseAndCopy = async (body: string, rows: readonly StoredRows[]): Promise<number> => {
  const bytes = Buffer.from(body)
  const began = performance.now()
  JSON.parse(bytes.toString('utf8'))
  await addRows(floor, rows)
  return performance.now() - began
}

const firstBody = bodyWith(everyPath)

const first = async (): Promise<Uploaded> => {
  await forget(place.service)
  return upload(firstBody)
}

let written: StoredRows[] | undefined

const firstByHand = async (): Promise<number> => {
  written ??= await storedRows({ url: place.service.url, runId: (await first()).runId, withStacks: true })
  await forget(place.floor)
  return parseAndCopy(firstBody, written)
}

/** Uploads whose rows were not copied yet. */
let later: { body: string; runId: string }[] = []

const again = async (): Promise<number> => {
  await place.idle()
  const body = bodyWith(changedPaths)
  const { runId, ms } = await upload(body)
  later.push({ body, runId })
  return ms
}

const againByHand = async (): Promise<number> => {
  if (later.length === 0) await again()
  const { body = '', runId = '' } = later.pop() ?? {}
  return parseAndCopy(body, await storedRows({ url: place.service.url, runId, withStacks: false }))
}

const longestTurn = async (work: () => Promise<unknown>): Promise<number> => {
  const told = (): Promise<unknown> | undefined => place.service.processes[0]?.told('turns')
  await told()
  await work()
  const turns = (await told()) as Turns
  return turns.longest
}

const floorName = 'parse and COPY'
const between = { setup: open, ours: 'service', teardown: close }

const ofFirst: Measurement = {
  ...between,
  contenders: { service: async () => (await first()).ms, [floorName]: firstByHand },
}

const ofLater: Measurement = {
  ...between,
  setup: async () => {
    await open()
    later = []
    written = undefined
    await firstByHand()
  },
  contenders: { service: again, [floorName]: againByHand },
}

const ofLoop: Measurement = {
  ...between,
  unit: 'ms of the loop',
  contenders: {
    service: async () => {
      await forget(place.service)
      return longestTurn(() => upload(firstBody))
    },
  },
}

const bench: Bench = {
  name: 'upload',
  unit: 'ms/upload',
  about:
    'The upload of a graph of 6,000 stacks and 30,000 edges, 8 MB, until its answer; against parsing it and one COPY of the same rows for each table.',
  groups: { 'all stacks planned': ofFirst, '50 paths changed': ofLater, 'longest turn': ofLoop },
}

export default bench

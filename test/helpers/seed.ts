import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { beginRun, type RunToBegin } from '#commands/runs/begin-run.ts'
import { placeStacks, planStacks } from '#commands/runs/place-stacks.ts'
import { setResolution } from '#db/machines/runs.ts'
import { putGraph } from '#db/repositories/graphs.ts'
import { putInstallations } from '#db/repositories/installations.ts'
import { putRepositories } from '#db/repositories/repositories.ts'
import { ensureStacks } from '#db/repositories/stacks.ts'
import type { Pool, Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import type { Edge, StackNode } from '#domain/graph/graph.ts'
import { indexGraph } from '#domain/graph/graph-index.ts'
import { compactGraph } from '#domain/resolution/compact-graph.ts'
import type { Answer } from '#runtime/message.ts'
import type { Runtime } from '#runtime/runtime.ts'

const repoId = 1
const who = { actor: 'test' }

/** Acme's repository infra, as the synchronisation of installations would record it. */
export const seedRepository = (pool: Pool): Promise<void> =>
  transact(pool, async (tx) => {
    await putInstallations(tx, [
      { id: 1, account_id: 1, account_login: 'acme', account_type: 'Organization', suspended_at: null },
    ])
    await putRepositories(tx, [
      { id: repoId, installation_id: 1, owner: 'acme', name: 'infra', default_branch: 'main', archived: false },
    ])
  })

export type SeededRun = { runId: string; keys: string[] }

type Options = {
  mode?: 'plan' | 'apply'
  prNumber?: number
  /** Keys by wave. */
  waves: string[][]
  edges?: Edge[]
}

/** A run with its stacks, started: its state when its jobs begin to report. An apply holds its stacks' locks. */
export const seedRun = (pool: Pool, runtime: Runtime, options: Options): Promise<SeededRun> =>
  transact(pool, async (tx) => {
    const { mode = 'plan', prNumber = 1, waves, edges = [] } = options
    const row: RunToBegin = {
      repo_id: repoId,
      pr_number: prNumber,
      sha: 'a'.repeat(40),
      base_sha: null,
      mode,
      trigger: mode === 'plan' ? 'pull_request' : 'comment',
      requested_by: 'test',
      workflow_run_id: 1,
      workflow_run_attempt: 1,
      created_at: new Date(),
    }
    const runId = await beginRun(runtime, tx, row, who)
    const keys = waves.flat()
    if (edges.length > 0) await storeGraph(tx, runId, edges)
    if (mode === 'apply') await takeLocks(runtime, tx, { runId, prNumber, keys })
    const stacks = waves.flatMap((wave, index) => wave.map((key) => stackOf(key, index)))
    const scheduling = { run: { id: runId, repoId, mode }, stacks, keys, who }
    if (mode === 'plan') await planStacks(runtime, tx, scheduling, 'graph.resolved')
    else {
      const event = { type: 'apply.requested', tallies: await placeStacks(runtime, tx, scheduling) } as const
      await runtime.sendAll(tx, [{ to: { kind: 'run', id: runId }, event, ...who }])
    }
    return { runId, keys }
  })

const stackOf = (key: string, wave: number) => ({
  key,
  path: key,
  wave,
  reasons: ['changed'],
  environment: 'default',
  tool: 'terraform',
})

export const dependsOn = (from: string, to: string): Edge => ({
  from: { kind: 'stack', key: from },
  to: { kind: 'stack', key: to },
  type: 'depends_on',
})

const stacksOf = (edges: readonly Edge[]): StackNode[] =>
  [...new Set(edges.flatMap(({ from, to }) => [from.key, to.key]))].map((key) => ({ key, path: key }))

const storeGraph = async (tx: Tx, runId: string, edges: Edge[]): Promise<void> => {
  const graphId = await putGraph(tx, {
    id: randomUUID(),
    repo_id: repoId,
    sha: randomUUID(),
    tree_hash: 'tree',
    body: Buffer.from(JSON.stringify({ edges })),
    outline: Buffer.from(JSON.stringify({ stacks: [] })),
    listing: Buffer.from('[]'),
    compact: Buffer.from(JSON.stringify(compactGraph(indexGraph(stacksOf(edges), [], [edges])))),
  })
  const resolution = { run_id: runId, affected: [], waves: [], matrix: { include: [] }, cached: false }
  const run = {
    id: runId,
    graph_id: graphId,
    base_sha: null,
    upload_digest: '',
    resolution: Buffer.from(JSON.stringify(resolution)),
    failure: null,
    warnings: [],
  }
  await setResolution(tx, run)
}

/** Takes locks for a run: all of them, or none, and rejects. */
export const takeLocks = async (
  runtime: Runtime,
  tx: Tx,
  { runId, prNumber, keys }: { runId: string; prNumber: number; keys: string[] },
): Promise<Answer[]> => {
  const ids = [...(await ensureStacks(tx, repoId, keys)).values()].sort()
  await runtime.openLocks(tx, ids, who)
  const at = new Date().toISOString()
  return runtime.sendAll(
    tx,
    ids.map((stackId) => ({
      to: { kind: 'lock', stackId },
      event: { type: 'lock.requested', run_id: runId, pr_number: prNumber, at },
      ...who,
    })),
  )
}

/** Gives the planner at once what it knows after the first minutes of a database's life: fresh tables look empty to it. */
export const analyse = async (url: string): Promise<void> => {
  const client = new Client(url)
  await client.connect()
  await client.query('analyze')
  await client.end()
}

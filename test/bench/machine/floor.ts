import { Client } from 'pg'
import { planText, resultBody } from './result.ts'

/*
 * The floor: a careful programmer's handwritten pg code for one result. One transaction a message, prepared statements, the
 * same rows that ours writes: run, stack row, two journal rows, the result, the job.
 */

export type Floor = { report(client: number, runId: string, key: string): Promise<void>; end(): Promise<void> }

type Snapshot = { value: unknown; context: Record<string, unknown> }
type Row = { stack_id: string; seq: number; snapshot: Snapshot }
type Tally = Record<'open' | 'succeeded', number>

export const openFloor = async (url: string, clients: number): Promise<Floor> => {
  const connections = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new Client(url)
      await client.connect()
      return client
    }),
  )
  return {
    report: (client, runId, key) => reportByHand(connections[client]!, runId, key),
    end: async () => {
      await Promise.all(connections.map((connection) => connection.end()))
    },
  }
}

const statements = {
  run: 'select seq, snapshot from runs where installation_id = 1 and id = $1 for no key update',
  stack: 'select stack_id, seq, snapshot from run_stacks where installation_id = 1 and run_id = $1 and key = $2',
  saveRun:
    'update runs set seq = $2, snapshot = $3, status = $4, finished_at = $5 where installation_id = 1 and id = $1',
  saveStack:
    'update run_stacks set seq = $3, snapshot = $4, status = $5, finished_at = $6 where installation_id = 1 and run_id = $1 and stack_id = $2',
  journal: `insert into journal (installation_id, kind, run_id, subject_id, seq, event, actor, state_from, state_to, actions, at)
    values (1, 'stack', $6, $1, $2, $3, 'floor', 'planning', 'planned', $4, $5), (1, 'run', $6, $6, $7, $8, 'floor', 'planning', $9, '[]', $5)`,
  result: `insert into results (installation_id, run_id, stack_id, body, plan_text, reported_at) values (1, $1, $2, $3, $4, $5)
    on conflict (installation_id, run_id, stack_id) do update set body = excluded.body, plan_text = excluded.plan_text`,
  job: `insert into jobs (installation_id, queue, kind, key, lane, payload) values (1, 'jobs', 'publish_run', $1, 'installation 1', $2)
    on conflict (installation_id, kind, key) where state = 'queued' and key is not null do update set cause = excluded.cause`,
}

const reportByHand = async (client: Client, runId: string, key: string): Promise<void> => {
  const query = <R extends object>(name: keyof typeof statements, values: unknown[]) =>
    client.query<R>({ name, text: statements[name], values })
  const at = new Date()
  await client.query('begin')
  const run = (await query<Omit<Row, 'stack_id'>>('run', [runId])).rows[0]!
  const stack = (await query<Row>('stack', [runId, key])).rows[0]!
  const tallies = run.snapshot.context.tallies as Tally[]
  const tally = tallies[0]!
  tally.open -= 1
  tally.succeeded += 1
  const done = tally.open === 0
  const status = done ? 'planned' : 'planning'
  const runSnapshot = { value: status, context: run.snapshot.context }
  const stackSnapshot = { value: 'planned', context: { ...stack.snapshot.context, digest: `digest of ${key}` } }
  const event = { type: 'result.reported', outcome: 'changes', digest: `digest of ${key}` }
  const settled = { type: 'stack.settled', wave: 0, outcome: 'succeeded' }
  const actions = [
    { type: 'tellRun', params: { event: settled } },
    { type: 'publishStack', params: {} },
  ]
  await query('saveRun', [runId, run.seq + 1, JSON.stringify(runSnapshot), status, done ? at : null])
  await query('saveStack', [runId, stack.stack_id, stack.seq + 1, JSON.stringify(stackSnapshot), 'planned', at])
  await query('journal', [
    ...[stack.stack_id, stack.seq + 1, JSON.stringify(event), JSON.stringify(actions), at],
    ...[runId, run.seq + 1, JSON.stringify(settled), status],
  ])
  await query('result', [runId, stack.stack_id, JSON.stringify(resultBody), planText, at])
  await query('job', [runId, JSON.stringify({ run_id: runId })])
  await client.query('commit')
}

import { Client } from 'pg'
import { planText, resultBody } from '../machine/result.ts'
import { type ReportRow, resultStatements } from './result-statements.ts'

/*
 * The floor of a result: a careful programmer's handwritten pg code. It writes the rows that ours writes (run, stack row, two
 * journal rows, how the stack stands, the counts, the result, the job, the token), by prepared statements, and batches as ours
 * does: all that waits for one run shares a transaction, several runs do too, and two transactions are under way at a time.
 */

/** A result of a stack, and the hash of the single-use token that it came with. */
export type Report = { runId: string; key: string; token?: string }

export type ResultsFloor = { report(report: Report): Promise<ReportRow>; end(): Promise<void> }

const transactions = 2
const atMost = 256

type Waiting = { report: Report; resolve(row: ReportRow): void; reject(error: unknown): void }

export const openResultsFloor = async (url: string): Promise<ResultsFloor> => {
  const free = await Promise.all(
    Array.from({ length: transactions }, async () => {
      const client = new Client(url)
      await client.connect()
      await client.query("set plan_cache_mode = 'force_generic_plan'; set enable_seqscan = off")
      return client
    }),
  )
  const all = [...free]
  const busy = new Set<string>()
  let waiting: Waiting[] = []
  let isScheduled = false

  const take = (): Waiting[] => {
    const group: Waiting[] = []
    const rest: Waiting[] = []
    for (const one of waiting) (group.length < atMost && !busy.has(one.report.runId) ? group : rest).push(one)
    waiting = rest
    return group
  }
  const begin = async (client: Client, group: Waiting[]): Promise<void> => {
    const runs = new Set(group.map(({ report }) => report.runId))
    for (const run of runs) busy.add(run)
    try {
      const rows = await write(
        client,
        group.map(({ report }) => report),
      )
      group.forEach(({ resolve }, index) => {
        resolve(rows[index] as ReportRow)
      })
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    for (const run of runs) busy.delete(run)
    free.push(client)
    pump()
  }
  const pump = (): void => {
    isScheduled = false
    while (free.length > 0) {
      const group = take()
      if (group.length === 0) return
      void begin(free.pop() as Client, group)
    }
  }
  return {
    report: (report) =>
      new Promise((resolve, reject) => {
        waiting.push({ report, resolve, reject })
        if (!isScheduled) setImmediate(pump)
        isScheduled = true
      }),
    end: async () => {
      await Promise.all(all.map((client) => client.end()))
    },
  }
}

type Snapshot = { value: unknown; context: Record<string, unknown> }
type Run = { id: string; seq: number; rev: number; snapshot: Snapshot; created_at: Date }
type Stack = { run_id: string; stack_id: string; key: string; seq: number; digest: string }
type Tally = Record<'open' | 'succeeded', number>

const write = async (client: Client, reports: Report[]): Promise<ReportRow[]> => {
  const query = async <R extends object>(name: keyof typeof resultStatements, values: unknown[]): Promise<R[]> =>
    (await client.query<R>({ name, text: resultStatements[name], values })).rows
  const at = new Date()
  const tokens = reports.flatMap(({ token }) => token ?? [])
  await client.query('begin')
  if (tokens.length > 0 && (await query('claim', [tokens])).length < tokens.length)
    throw new Error('a token came twice')
  const runs = await query<Run>('runs', [[...new Set(reports.map(({ runId }) => runId))]])
  const stacks = await query<Stack>('stacks', [reports.map(({ runId }) => runId), reports.map(({ key }) => key)])
  const byId = new Map(runs.map((run) => [run.id, run]))
  const byName = new Map(stacks.map((stack) => [`${stack.run_id} ${stack.key}`, stack]))
  const rows = reports.map(({ runId, key }) =>
    settle(byId.get(runId) as Run, byName.get(`${runId} ${key}`) as Stack, at),
  )
  const json = (values: object[]): string => JSON.stringify(values)
  await query('save', [
    json(runs.map((run) => ({ ...run, rev: run.rev + 1, status: run.snapshot.value }))),
    json(rows.map(({ stack, rev, run_at }) => ({ ...stack, status: 'planned', rev, run_at })).sort(byStack)),
    json(rows.flatMap(({ journal }) => journal)),
    json(rows.map(({ stack: { run_id, stack_id } }) => ({ run_id, stack_id, body: resultBody, plan_text: planText }))),
    json(runs.map(({ id }) => ({ key: id, payload: { run_id: id } }))),
    at,
  ])
  await client.query('commit')
  return rows.map(({ stack }) => ({ key: stack.key, status: 'planned', finished_at: at, result: resultBody }))
}

/** What a result does to a run and its stack, and the two rows of their history. */
const settle = (run: Run, stack: Stack, at: Date) => {
  const tally = (run.snapshot.context.tallies as Tally[])[0] as Tally
  tally.open -= 1
  tally.succeeded += 1
  run.seq += 1
  run.snapshot.value = tally.open === 0 ? 'planned' : 'planning'
  stack.seq += 1
  stack.digest = `digest of ${stack.key}`
  const event = { type: 'result.reported', outcome: 'changes', digest: stack.digest }
  const settled = { type: 'stack.settled', wave: 0, outcome: 'succeeded' }
  const actions = [
    { type: 'tellRun', params: { event: settled } },
    { type: 'publishStack', params: {} },
  ]
  const common = { run_id: run.id, actor: 'floor', state_from: 'planning', at }
  const journal = [
    { ...common, kind: 'stack', subject_id: stack.stack_id, seq: stack.seq, event, state_to: 'planned', actions },
    {
      ...{ ...common, kind: 'run', subject_id: run.id, seq: run.seq, event: settled },
      ...{ state_to: run.snapshot.value, actions: [] },
    },
  ]
  return { stack, journal, rev: run.rev + 1, run_at: run.created_at }
}

/** How stacks stand is locked in their order: two transactions may be of the same stacks. */
const byStack = (a: Stack, b: Stack): number => (a.stack_id < b.stack_id ? -1 : 1)

import { z } from 'zod'
import { layers, verdicts } from '#domain/gate/verdict.ts'
import { nothing, type Reader, sql, type Tx } from '../sql.ts'
import { ofRun } from '../tenant.ts'

const Evidence = z.object({
  holds: z.boolean(),
  text: z.string(),
  login: z.string().optional(),
  sha: z.string().optional(),
  check: z.string().optional(),
  pr_number: z.number().optional(),
  run_id: z.string().optional(),
  stacks: z.array(z.string()).optional(),
  addresses: z.array(z.string()).optional(),
  opens_at: z.string().optional(),
})

const Fact = z.object({
  layer: z.enum(layers),
  verdict: z.enum(verdicts),
  summary: z.string(),
  evidence: z.array(Evidence),
  next: z.string().optional(),
})

const Decision = z.object({ asked_by: z.string().nullable(), decided_at: z.date(), facts: z.array(Fact) })

/** What the gate found when it let an apply through. */
export type GateDecision = z.infer<typeof Decision>

/** In the transaction that begins the apply. */
export const keepDecision = async (
  tx: Tx,
  runId: string,
  { asked_by, decided_at, facts }: GateDecision,
): Promise<void> => {
  await tx.query(sql.type(nothing)`
    insert into gate_decisions (installation_id, run_id, asked_by, decided_at, facts)
    values (${ofRun(tx, runId)}, ${runId}, ${asked_by}, ${decided_at.toISOString()}, ${JSON.stringify(facts)}::jsonb)`)
}

/** Undefined for a run that is no apply, or began before they were kept. */
export const findDecision = async (db: Reader, runId: string): Promise<GateDecision | undefined> =>
  (await db.maybeOne(
    sql.type(Decision)`select asked_by, decided_at, facts from gate_decisions
    where installation_id = ${ofRun(db, runId)} and run_id = ${runId}`,
  )) ?? undefined

const KeysRow = z.object({ keys: z.array(z.string()) })

/** Keys of the stacks of a run, wave by wave. */
export const wavesOfRun = async (db: Reader, runId: string): Promise<string[][]> => {
  const rows = await db.any(sql.type(KeysRow)`
    select array_agg(key order by key collate "C") as keys from run_stacks
    where installation_id = ${ofRun(db, runId)} and run_id = ${runId}
    group by wave order by wave`)
  return rows.map(({ keys }) => keys)
}

import type { TenantTx } from '#db/tenant.ts'
import { isOpen } from '#domain/run-status.ts'
import { type Kind, statusOf } from '#machines/index.ts'
import type { Actor, RunActor, StackActor } from './actor.ts'
import { addViews } from './answer-views.ts'
import { accept, newDraft, noWrites, type Writes } from './draft.ts'
import type { Mail } from './mail.ts'
import type { Answer, Message, MessageTo } from './message.ts'
import { save } from './save.ts'
import { eventName, find, runOf, type Stage, setStage } from './stage.ts'
import type { Tell } from './tells.ts'
import { transitAll } from './transitions.ts'

/** What ended, for metrics: counted after the commit, so nothing is counted that was rolled back. */
export type Settled = { runs: { status: string; mode: string; trigger: string }[]; stacks: SettledStack[] }
type SettledStack = { mode: string; status: string; seconds: number | null }

/** `jobsInMs`: when the first of the jobs that it queued is due; null if it queued none. */
export type Delivered = { answers: Answer[]; settled: Settled; jobsInMs: number | null }

/**
 * Handles messages in one transaction: locks and rehydrates their machines once, makes one transition for each message in
 * order (and those of the machines it tells), and writes in bulk. A refused message gets its refusal as the answer and leaves
 * nothing behind: transitions are pure, so this is known before anything is written.
 */
export const deliver = async (tx: TenantTx, mail: Mail, now: () => Date): Promise<Delivered> => {
  const { stage, messages } = await setStage(tx, mail, now)
  const writes = noWrites()
  const before = statusesOf(stage)
  const answers: Answer[] = []
  for (const message of messages) answers.push(await handle(stage, writes, message))
  const jobsInMs = await save(stage, writes)
  await addViews(stage, { messages, answers, results: writes.results })
  return { answers, settled: settledSince(stage, before), jobsInMs }
}

const handle = async (stage: Stage, writes: Writes, message: Message): Promise<Answer> => {
  const tell = tellOf(stage, message)
  const actor = tell?.actor
  const refused = message.permit?.({
    run: actor && runOf(stage, actor)?.row,
    stack: actor?.kind === 'stack' ? actor.row : undefined,
  })
  if (!tell || !actor) return { outcome: 'missing', ...(refused && { problem: refused }) }
  if (refused) return { outcome: 'refused', problem: refused }
  const status = (): string => statusOf(actor.snapshot)
  const applied = message.key === undefined ? undefined : eventName(actor, message.key)
  if (applied && stage.applied.has(applied)) return { outcome: 'unchanged', status: status() }
  const draft = newDraft()
  const problem = await transitAll({ stage, draft, message }, tell, true)
  if (problem) return { outcome: 'refused', status: status(), problem }
  if (draft.journal.length === 0) return { outcome: 'unchanged', status: status() }
  if (message.document && actor.kind === 'stack') {
    const { jobs = [], ...document } = message.document({ run: runOf(stage, actor)?.row, stack: actor.row })
    draft.jobs.push(...jobs)
    draft.results.push({ run_id: actor.row.run_id, stack_id: actor.row.stack_id, ...document, reported_at: stage.at })
  }
  if (applied) stage.applied.add(applied)
  accept(draft, writes, stage.at)
  return { outcome: 'moved', status: status() }
}

/** A message's event with the machine it is for, if that exists. */
const tellOf = <K extends Kind>(stage: Stage, { to, event }: MessageTo<K>): Tell<K> | undefined => {
  const actor = find(stage, to)
  return actor && { actor, event }
}

/** The runs and stack rows: the metrics count how these end. */
const counted = ({ actors: { run, stack } }: Stage): (RunActor | StackActor)[] => [...run.values(), ...stack.values()]

const statusesOf = (stage: Stage): Map<Actor, string> =>
  new Map(counted(stage).map((actor) => [actor, statusOf(actor.snapshot)]))

const settledSince = (stage: Stage, before: Map<Actor, string>): Settled => {
  const settled: Settled = { runs: [], stacks: [] }
  for (const actor of counted(stage)) {
    if (!actor.dirty) continue
    const status = statusOf(actor.snapshot)
    if (isOpen(status) || before.get(actor) === status) continue
    if (actor.kind === 'run') settled.runs.push({ status, mode: actor.row.mode, trigger: actor.row.trigger })
    else {
      const { startedAt, finishedAt } = actor
      const seconds = startedAt && finishedAt ? (+finishedAt - +startedAt) / 1000 : null
      settled.stacks.push({ mode: runOf(stage, actor)?.row.mode ?? 'plan', status, seconds })
    }
  }
  return settled
}

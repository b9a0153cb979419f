import { addAudit } from '#db/audit.ts'
import { saveDispatches } from '#db/dispatches.ts'
import type { NewJob } from '#db/jobs.ts'
import { saveLocks } from '#db/locks.ts'
import { addWarnings } from '#db/runs.ts'
import { storeTransitions } from '#db/store-transitions.ts'
import { changeTimers } from '#db/timers.ts'
import { stateOf, statusOf } from '#machines/index.ts'
import { type Actor, columnsOf } from './actor.ts'
import { crossRepoJobs } from './cross-repo-jobs.ts'
import type { Writes } from './draft.ts'
import { noteDrift } from './drift-news.ts'
import type { Stage } from './stage.ts'

/**
 * Writes what a batch of messages came to: what nearly all of them write in one statement, the rest in a statement a table. One
 * after another and not all at once: were one of several refused, the others would reach Postgres after the ROLLBACK, and stay.
 */
export const save = async (stage: Stage, writes: Writes): Promise<void> => {
  const { tx } = stage
  const dirty = [...stage.actors.values()].filter((actor) => actor.dirty)
  writes.jobs.push(...crossRepoJobs(dirty))
  await noteDrift(stage, writes, dirty)
  await storeTransitions(tx, {
    runs: dirty.flatMap(runChange),
    stacks: dirty.flatMap(stackChange),
    journal: writes.journal,
    results: newest(writes.results, (row) => `${row.runId} ${row.stackId}`),
    jobs: coalesced(writes.jobs),
  })
  await saveLocks(tx, dirty.flatMap(lockChange))
  await saveDispatches(tx, dirty.flatMap(dispatchChange))
  await changeTimers(
    tx,
    newest(writes.timers, (timer) => `${timer.kind} ${timer.id} ${timer.name}`),
  )
  await addWarnings(tx, writes.warnings)
  await addAudit(tx, writes.audit)
}

/** One statement may not touch a row twice: of several with one name the newest is written. */
const newest = <T>(rows: T[], name: (row: T) => string): T[] => [
  ...new Map(rows.map((row) => [name(row), row])).values(),
]

/** The newest of one kind and key; where they list stacks, with those of all. */
const coalesced = (jobs: NewJob[]): NewJob[] => {
  const byName = new Map<string, NewJob>()
  for (const job of jobs) {
    if (job.key === null) continue
    const name = `${job.kind} ${job.key}`
    byName.set(name, united(byName.get(name), job))
  }
  return [...byName.values(), ...jobs.filter((job) => job.key === null)]
}

const united = (earlier: NewJob | undefined, job: NewJob): NewJob => {
  if (!earlier || !('stack_ids' in earlier.payload) || !('stack_ids' in job.payload)) return job
  const ids = [...(earlier.payload.stack_ids as string[]), ...(job.payload.stack_ids as string[])]
  return { ...job, payload: { ...job.payload, stack_ids: [...new Set(ids)] } }
}

const runChange = (actor: Actor) => {
  if (actor.kind !== 'run') return []
  const { context } = actor.snapshot
  return [
    {
      ...columnsOf(actor.kind, actor.snapshot, actor.seq),
      id: actor.id,
      status: statusOf(actor.snapshot),
      waves: context.tallies.length,
      currentWave: context.wave,
      startedAt: actor.startedAt,
      finishedAt: actor.finishedAt,
    },
  ]
}

const stackChange = (actor: Actor) => {
  if (actor.kind !== 'stack') return []
  const { context } = actor.snapshot
  return [
    {
      ...columnsOf(actor.kind, actor.snapshot, actor.seq),
      runId: actor.row.run_id,
      stackId: actor.row.stack_id,
      status: statusOf(actor.snapshot),
      blockedBy: context.blocked_by,
      startedAt: actor.startedAt,
      finishedAt: actor.finishedAt,
    },
  ]
}

const lockChange = (actor: Actor) => {
  if (actor.kind !== 'lock') return []
  const { context } = actor.snapshot
  return [
    {
      ...columnsOf(actor.kind, actor.snapshot, actor.seq),
      stackId: actor.id,
      state: stateOf(actor.snapshot),
      runId: context.run_id ?? null,
      prNumber: context.pr_number ?? null,
      takenAt: context.taken_at ? new Date(context.taken_at) : null,
      fence: context.fence,
    },
  ]
}

const dispatchChange = (actor: Actor) => {
  if (actor.kind !== 'dispatch') return []
  const { context } = actor.snapshot
  return [
    {
      ...columnsOf(actor.kind, actor.snapshot, actor.seq),
      id: actor.id,
      state: stateOf(actor.snapshot),
      workflowRunId: context.workflow_run_id ?? null,
      workflowRunAttempt: context.attempt ?? null,
    },
  ]
}

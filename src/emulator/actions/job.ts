import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cancellation } from './cancellation.ts'
import type { JobConclusion, StepRecord } from './contract.ts'
import { createJobLog } from './job-log.ts'
import { type JobScope, stepScope } from './job-scope.ts'
import { type Assignment, setUpJob } from './job-setup.ts'
import { runStep, stepTitle } from './step.ts'
import { createStepRecords, type StepRecords } from './step-records.ts'
import { fillNumber, fillTexts } from './workflow/fill-in.ts'

export type JobEnd = { conclusion: JobConclusion; outputs: Record<string, string> }

/** Where the log of a job is kept permanently: runs/<run>/<attempt>/<job id>.log under the engine's directory. */
export const jobLogPath = (workDir: string, run: { id: number; attempt: number }, jobId: number): string =>
  join(workDir, 'runs', String(run.id), String(run.attempt), `${jobId}.log`)

/** Limit of all job outputs together, counted as UTF-16 (docs.github.com, 'Workflow syntax', jobs.<job_id>.outputs). */
const maxOutputBytes = 1024 * 1024

const outputsOf = (scope: JobScope): Record<string, string> => {
  const filled = Object.entries(fillTexts(scope.job.outputs, stepScope(scope)))
  const kept = filled.filter(([name, value]) => {
    const isSecret = scope.log.holdsSecret(value)
    if (isSecret) scope.log.write(`##[warning]Skip output '${name}' since it may contain secret.`)
    return !isSecret
  })
  const bytes = kept.reduce((sum, [name, value]) => sum + 2 * (name.length + value.length), 0)
  if (bytes > maxOutputBytes) throw new Error(`job outputs of ${bytes} bytes are above the limit of ${maxOutputBytes}`)
  return Object.fromEntries(kept)
}

const runSteps = async (scope: JobScope, cancellation: Cancellation, records: StepRecords): Promise<void> => {
  for (const [index, step] of scope.job.steps.entries()) {
    if (cancellation.cancelled.aborted) scope.status = 'cancelled'
    records.begin(stepTitle(step, scope))
    const result = cancellation.killed.aborted
      ? ({ outcome: 'skipped', conclusion: 'skipped', outputs: {} } as const)
      : await runStep(step, index, scope, cancellation)
    if (step.id !== undefined) scope.steps[step.id] = result
    if (result.conclusion === 'failure' && scope.status === 'success') scope.status = 'failure'
    records.end(result.conclusion)
  }
  if (cancellation.cancelled.aborted) scope.status = 'cancelled'
}

/** Longest delay of a Node timer. */
const maxTimerMs = 2 ** 31 - 1

const limitTime = (scope: JobScope, cancellation: Cancellation): NodeJS.Timeout => {
  const minutes = fillNumber('timeout-minutes', scope.job['timeout-minutes'], { contexts: scope.contexts })
  const expire = () => {
    scope.log.write(`##[error]The job has exceeded the maximum execution time of ${minutes} minutes.`)
    // Cancelled, not failed: always() steps still run.
    cancellation.cancel()
  }
  return setTimeout(expire, Math.min(minutes * 60_000, maxTimerMs))
}

/**
 * Runs a job on this machine, in a workspace that is removed afterwards; never rejects. The log stays (`jobLogPath`).
 * `report` gets all steps at each change. Source: docs.github.com, 'Workflow syntax', jobs.
 */
export const runJob = async (
  assignment: Assignment,
  cancellation: Cancellation,
  report: (steps: StepRecord[]) => void,
): Promise<JobEnd> => {
  const { request, host, id } = assignment
  const path = jobLogPath(host.workDir, request, id)
  const directory = path.replace(/\.log$/, '')
  const log = await createJobLog(path, (text) => {
    // A lost runner does not report its end.
    if (!cancellation.lost.aborted) host.onLog(id, text)
  })
  const records = createStepRecords(report)
  let timer: NodeJS.Timeout | undefined
  try {
    records.begin('Set up job')
    const scope = await setUpJob(assignment, directory, log)
    timer = limitTime(scope, cancellation)
    records.end('success')
    await runSteps(scope, cancellation, records)
    records.begin('Complete job')
    const outputs = outputsOf(scope)
    records.end('success')
    return { conclusion: scope.status, outputs }
  } catch (error) {
    log.write(`##[error]${error instanceof Error ? error.message : String(error)}`)
    records.end('failure')
    return { conclusion: 'failure', outputs: {} }
  } finally {
    clearTimeout(timer)
    await rm(directory, { recursive: true, force: true })
    await log.close()
  }
}

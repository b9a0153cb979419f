import { type Cancellation, createCancellation } from './cancellation.ts'
import type { JobConclusion, JobUpdate, RunnerHost, StepRecord, WorkflowRequest } from './contract.ts'
import { fill, fillText } from './expressions/template.ts'
import { toText, type Value } from './expressions/value.ts'
import { type JobEnd, jobLogPath, runJob } from './job.ts'
import { createJobLog } from './job-log.ts'
import type { Assignment } from './job-setup.ts'
import type { Grace } from './process-group.ts'
import { createSlots, type Slots } from './slots.ts'
import { fillFlag, fillNumber } from './workflow/fill-in.ts'
import { type Combination, displayName, expandMatrix } from './workflow/matrix.ts'
import type { Job, Workflow } from './workflow/schema.ts'

/** What all jobs of a run share. */
export type RunScope = {
  host: RunnerHost
  request: WorkflowRequest
  workflow: Workflow
  runners: Slots
  grace: Grace
  /** Reports that the run has begun; only the first call counts. */
  begin: () => void
  /** Jobs that have a runner, by id. */
  onRunner: Map<number, Cancellation>
}

/** One entry under `jobs`, its needs settled. */
export type JobEntry = {
  key: string
  job: Job
  /** github, needs, inputs, vars and secrets. */
  contexts: Readonly<Record<string, Value>>
  /** Started jobs register here for the run to end them. */
  register: (cancellation: Cancellation) => void
}

type Instance = Assignment & { name: string; labels: string[]; cancellation: Cancellation }

const reporterOf = (run: RunScope, { id, name, labels }: { id: number; name: string; labels: string[] }) => {
  const identity = { id, runId: run.request.id, attempt: run.request.attempt, name, labels }
  return (update: Pick<JobUpdate, 'status' | 'conclusion' | 'steps' | 'outputs'>) =>
    run.host.onJob({ ...identity, ...update })
}

/**
 * A job that never reaches a runner: skipped by its `if`, or failed because its strategy or name cannot be evaluated. Like
 * GitHub, it shows the name as written in the file, expressions and all.
 */
export const settleWithoutRunner = async (
  run: RunScope,
  { key, job }: Pick<JobEntry, 'key' | 'job'>,
  conclusion: JobConclusion,
  reason?: string,
): Promise<JobEnd> => {
  const id = run.host.newJobId()
  const report = reporterOf(run, {
    id,
    name: job.name ?? key,
    labels: [],
  })
  if (reason !== undefined) {
    const path = jobLogPath(run.host.workDir, run.request, id)
    const log = await createJobLog(path, (text) => run.host.onLog(id, text))
    log.write(`##[error]${reason}`)
    await log.close()
  }
  report({ status: 'completed', conclusion, steps: [] })
  return { conclusion, outputs: {} }
}

/** `runs-on` may be one expression that yields a list. */
const labelsOf = (value: Value): string[] => (Array.isArray(value) ? value.map(toText) : [toText(value)])

const createInstance = (
  run: RunScope,
  { key, job, contexts: before, register }: JobEntry,
  { values, label }: Combination,
  strategy: Record<string, Value>,
): Instance => {
  const contexts = { ...before, matrix: values, strategy }
  const environment = job.environment && fillText(job.environment.name, { contexts })
  const cancellation = createCancellation()
  register(cancellation)
  return {
    ...{ key, job, contexts, cancellation },
    ...{ host: run.host, request: run.request, workflow: run.workflow, grace: run.grace },
    id: run.host.newJobId(),
    environment: environment || undefined,
    name: displayName(fillText(job.name ?? key, { contexts }) || key, job.name, label),
    labels: job['runs-on'].flatMap((text) => labelsOf(fill(text, { contexts }))),
  }
}

/** Whether the environment lets the job go on; a job cancelled meanwhile does not. */
const isApproved = async (run: RunScope, instance: Instance, wait: () => void): Promise<boolean> => {
  const { id, environment, cancellation } = instance
  const identity = { id, runId: run.request.id, attempt: run.request.attempt }
  const decision = run.host.approval(environment === undefined ? identity : { ...identity, environment })
  if (!decision) return true
  wait()
  const { promise, resolve } = Promise.withResolvers<false>()
  cancellation.cancelled.addEventListener('abort', () => resolve(false), { once: true })
  return Promise.race([decision, promise])
}

/** Runs a job that has a runner. A job whose runner is lost fails when that is noticed; its steps stay as last reported. */
const runOnRunner = async (run: RunScope, instance: Instance): Promise<JobEnd> => {
  const report = reporterOf(run, instance)
  const { id, cancellation } = instance
  let steps: StepRecord[] = []
  run.begin()
  run.onRunner.set(id, cancellation)
  const ended = await runJob(instance, cancellation, (records) => {
    if (cancellation.lost.aborted) return
    steps = records
    report({ status: 'in_progress', conclusion: null, steps })
  })
  if (cancellation.lost.aborted) await cancellation.noticed
  run.onRunner.delete(id)
  const end: JobEnd = cancellation.lost.aborted ? { conclusion: 'failure', outputs: {} } : ended
  report({ status: 'completed', conclusion: end.conclusion, steps, outputs: end.outputs })
  return end
}

/** Waits for a place in the matrix, then for a runner, and runs; a job cancelled while it waits never starts. */
const runInstance = async (run: RunScope, places: Slots, instance: Instance): Promise<JobEnd> => {
  const kept = run.request.kept?.[instance.name]
  if (kept) return { conclusion: 'success', outputs: kept }
  const report = reporterOf(run, instance)
  const endWith = (conclusion: JobConclusion): JobEnd => {
    report({ status: 'completed', conclusion, steps: [] })
    return { conclusion, outputs: {} }
  }
  const { cancelled } = instance.cancellation
  const wait = () => report({ status: 'waiting', conclusion: null, steps: [] })
  if (!(await isApproved(run, instance, wait))) return endWith(cancelled.aborted ? 'cancelled' : 'failure')
  report({ status: 'queued', conclusion: null, steps: [] })
  const leavePlace = await places.take(cancelled)
  const leaveRunner = leavePlace && (await run.runners.take(cancelled))
  try {
    return leaveRunner ? await runOnRunner(run, instance) : endWith('cancelled')
  } finally {
    leaveRunner?.()
    leavePlace?.()
  }
}

/** The result that `needs` shows for a whole matrix: the worst of its jobs. Outputs of the last job to end win. */
const together = (ends: readonly JobEnd[]): JobEnd => {
  const order: JobConclusion[] = ['failure', 'cancelled', 'success', 'skipped']
  const conclusion = order.find((wanted) => ends.some((end) => end.conclusion === wanted)) ?? 'skipped'
  return { conclusion, outputs: Object.assign({}, ...ends.map((end) => end.outputs)) }
}

const startInstances = (run: RunScope, entry: JobEntry) => {
  const { strategy } = entry.job
  const scope = { contexts: entry.contexts }
  const combinations: Combination[] =
    strategy?.matrix === undefined ? [{ values: {}, label: [] }] : expandMatrix(strategy.matrix, scope)
  const isFailFast = fillFlag('strategy.fail-fast', strategy?.['fail-fast'] ?? true, scope)
  const limit = strategy?.['max-parallel']
  const maxParallel = limit === undefined ? combinations.length : fillNumber('strategy.max-parallel', limit, scope)
  const common = { 'fail-fast': isFailFast, 'job-total': combinations.length, 'max-parallel': maxParallel }
  const instances = combinations.map((combination, index) =>
    createInstance(run, entry, combination, { ...common, 'job-index': index }),
  )
  return { instances, isFailFast, places: createSlots(maxParallel) }
}

/**
 * Runs an entry under `jobs`, in as many jobs as its matrix has combinations; never rejects. With fail-fast the first
 * failure cancels the others. Source: docs.github.com, 'Workflow syntax', jobs.<job_id>.strategy.
 */
export const runJobGroup = async (run: RunScope, entry: JobEntry): Promise<JobEnd> => {
  let group: ReturnType<typeof startInstances>
  try {
    group = startInstances(run, entry)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return settleWithoutRunner(run, entry, 'failure', `evaluating job '${entry.key}': ${reason}`)
  }
  const ends: JobEnd[] = []
  await Promise.all(
    group.instances.map(async (instance) => {
      const end = await runInstance(run, group.places, instance)
      ends.push(end)
      if (end.conclusion !== 'failure' || !group.isFailFast) return
      for (const other of group.instances) other.cancellation.cancel()
    }),
  )
  return together(ends)
}

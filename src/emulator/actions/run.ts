import type { Cancellation } from './cancellation.ts'
import type { ConcurrencyGroups, Membership } from './concurrency.ts'
import { githubContext, inputsContext } from './contexts.ts'
import type { RunConclusion, RunnerHost, WorkflowRequest } from './contract.ts'
import { fillText, holds } from './expressions/template.ts'
import type { Value } from './expressions/value.ts'
import type { JobEnd } from './job.ts'
import { type RunScope, runJobGroup, settleWithoutRunner } from './job-group.ts'
import type { Grace } from './process-group.ts'
import type { Slots } from './slots.ts'
import { fillFlag } from './workflow/fill-in.ts'
import { parseWorkflow } from './workflow/parse.ts'
import type { Job, Workflow } from './workflow/schema.ts'

/** What all runs of one engine share. */
export type Engine = { host: RunnerHost; runners: Slots; groups: ConcurrencyGroups; grace: Grace }

export type Run = {
  /** Never rejects; resolves after the completed run was reported. */
  done: Promise<RunConclusion>
  cancel(): void
  /** Ends every process, always() steps too. */
  kill(): void
  killRunner(jobId: number, failsAfterMs: number): boolean
}

type Contexts = Readonly<Record<string, Value>>

/** A running job, and whether its own `if` keeps it running when the run is cancelled. */
type Live = { cancellation: Cancellation; isInsistent: () => boolean }

type State = { isCancelled: boolean; isKilled: boolean; live: Set<Live> }

const ancestorsOf = (jobs: Record<string, Job>, key: string): string[] => {
  const needs = jobs[key]?.needs ?? []
  return [...new Set([...needs, ...needs.flatMap((need) => ancestorsOf(jobs, need))])]
}

/** success() and failure() of a job look at all jobs before it, also those it doesn't name itself. */
const statusOf = (before: readonly JobEnd[], isCancelled: boolean) => ({
  success: !isCancelled && before.every(({ conclusion }) => conclusion === 'success'),
  failure: !isCancelled && before.some(({ conclusion }) => conclusion === 'failure'),
  cancelled: isCancelled,
  always: true,
})

const needsContext = (job: Job, ends: ReadonlyMap<string, JobEnd>): Value =>
  Object.fromEntries(
    job.needs.map((need) => [
      need,
      { result: ends.get(need)?.conclusion ?? 'skipped', outputs: ends.get(need)?.outputs ?? {} },
    ]),
  )

const runEntry = async (
  run: RunScope,
  key: string,
  job: Job,
  base: Contexts,
  ends: ReadonlyMap<string, JobEnd>,
  state: State,
): Promise<JobEnd> => {
  const before = ancestorsOf(run.workflow.jobs, key).flatMap((ancestor) => ends.get(ancestor) ?? [])
  const contexts = { ...base, needs: needsContext(job, ends) }
  const isWanted = () => holds(job.if, { contexts, status: statusOf(before, state.isCancelled) })
  const isInsistent = () => {
    try {
      return isWanted()
    } catch {
      return false
    }
  }
  try {
    if (state.isKilled || !isWanted()) {
      const wasNext = state.isCancelled && before.every(({ conclusion }) => conclusion === 'success')
      return await settleWithoutRunner(run, { key, job }, wasNext ? 'cancelled' : 'skipped')
    }
  } catch (error) {
    return settleWithoutRunner(run, { key, job }, 'failure', `evaluating jobs.${key}.if: ${error}`)
  }
  const begun: Live[] = []
  const register = (cancellation: Cancellation) => {
    const live = { cancellation, isInsistent }
    begun.push(live)
    state.live.add(live)
  }
  const end = await runJobGroup(run, { key, job, contexts, register })
  for (const live of begun) state.live.delete(live)
  return end
}

/** Every job as soon as its needs are settled, as many as possible at a time. */
const runJobs = async (run: RunScope, base: Contexts, state: State): Promise<JobEnd[]> => {
  const { jobs } = run.workflow
  const ends = new Map<string, JobEnd>()
  const settled = new Map<string, Promise<void>>()
  const settle = async (key: string, job: Job) => {
    await Promise.all(job.needs.map(settleOnce))
    ends.set(key, await runEntry(run, key, job, base, ends, state))
  }
  const settleOnce = (key: string): Promise<void> => {
    const job = jobs[key]
    const promise = settled.get(key) ?? (job ? settle(key, job) : Promise.resolve())
    settled.set(key, promise)
    return promise
  }
  await Promise.all(Object.keys(jobs).map(settleOnce))
  return [...ends.values()]
}

const conclusionOf = (ends: readonly JobEnd[], isCancelled: boolean): RunConclusion => {
  const has = (conclusion: string) => ends.some((end) => end.conclusion === conclusion)
  if (isCancelled || (has('cancelled') && !has('failure'))) return 'cancelled'
  if (has('failure')) return 'failure'
  return has('success') ? 'success' : 'skipped'
}

/** Reads the file and fills in its run-level expressions; throws what GitHub calls a startup failure. */
const prepare = (request: WorkflowRequest, host: RunnerHost) => {
  const workflow: Workflow = parseWorkflow(request.workflowText, request.workflowPath)
  const contexts: Contexts = {
    github: githubContext(request, host, workflow),
    inputs: inputsContext(request, workflow),
    vars: request.vars ?? {},
    secrets: request.secrets ?? {},
  }
  const { concurrency } = workflow
  const group = concurrency && {
    name: fillText(concurrency.group, { contexts }),
    cancelInProgress: fillFlag('concurrency.cancel-in-progress', concurrency['cancel-in-progress'], { contexts }),
  }
  const title = workflow['run-name'] === undefined ? undefined : fillText(workflow['run-name'], { contexts })
  return { workflow, contexts, group, title }
}

/** Starts a run of a workflow: reports to the host, waits for its concurrency group, runs the jobs. */
export const startRun = (engine: Engine, request: WorkflowRequest): Run => {
  const { host, groups, runners, grace } = engine
  const state: State = { isCancelled: false, isKilled: false, live: new Set() }
  const identity = { id: request.id, attempt: request.attempt }
  const onRunner: RunScope['onRunner'] = new Map()
  let membership: Membership | undefined
  let hasBegun = false
  const begin = () => {
    if (!hasBegun) host.onRun({ ...identity, status: 'in_progress' })
    hasBegun = true
  }

  const cancel = () => {
    state.isCancelled = true
    membership?.giveUp()
    for (const { cancellation, isInsistent } of state.live) if (!isInsistent()) cancellation.cancel()
  }
  const kill = () => {
    state.isKilled = true
    cancel()
    for (const { cancellation } of state.live) cancellation.kill()
  }

  const proceed = async (): Promise<RunConclusion> => {
    const { workflow, contexts, group, title } = prepare(request, host)
    if (title) host.onRun({ ...identity, displayTitle: title })
    membership = group && groups.join(`${request.repo.id}/${group.name}`, { ...group, cancel })
    const isTurn = await (membership?.turn ?? true)
    if (!isTurn || state.isCancelled) return 'cancelled'
    const ends = await runJobs({ host, request, workflow, runners, grace, begin, onRunner }, contexts, state)
    return conclusionOf(ends, state.isCancelled)
  }

  const complete = async (): Promise<RunConclusion> => {
    // Later than start(): the caller knows the run before its first report.
    await Promise.resolve()
    let problem: string | undefined
    const conclusion = await proceed().catch((error: unknown) => {
      problem = error instanceof Error ? error.message : String(error)
      return 'startup_failure' as const
    })
    host.onRun({ ...identity, status: 'completed', conclusion, ...(problem === undefined ? {} : { problem }) })
    // After the report: the group's next run is never seen in progress beside this one.
    membership?.leave()
    return conclusion
  }

  const killRunner = (jobId: number, failsAfterMs: number) => {
    const cancellation = onRunner.get(jobId)
    cancellation?.lose(failsAfterMs)
    return cancellation !== undefined
  }

  return { done: complete(), cancel, kill, killRunner }
}

import { hearBinding, hearNews, hearResult } from '../heard.ts'
import { newsOfWorkflow } from '../host/news.ts'
import type { HostWorkflowRun } from '../host/records.ts'
import { type Dispatch, isOpen, lockOf, type Model, type Run, runOf } from '../model/model.ts'
import { type Outcome, report, type Said } from '../model/plans.ts'
import { bind, complete, sendDue } from '../model/waves.ts'
import {
  askAsJob,
  type Choice,
  changed,
  deliver,
  expectAnswer,
  resultOf,
  type Step,
  stackPath,
  type Walk,
} from '../walk.ts'
import { outcomes, runName } from './plan-steps.ts'

/* What the jobs do that the service dispatches: begin, report, and end; in any order, late and twice. */

type Out = { run: Run; dispatch: Dispatch; index: number; workflowRun: HostWorkflowRun; name: string }

/** The workflow runs that the code host has started for a dispatch: two where an answer was lost. */
export const startedFor = (walk: Walk, run: Run, dispatch: Dispatch): HostWorkflowRun[] =>
  [...walk.repository.workflowRuns.values()].filter(
    ({ inputs }) => inputs.run_id === run.id && Number(inputs.wave) === dispatch.wave,
  )

const outOf = (walk: Walk): Out[] =>
  walk.model.runs.flatMap((run) =>
    run.dispatches.flatMap((dispatch, index) =>
      startedFor(walk, run, dispatch).map((workflowRun, copy) => ({
        ...{ run, dispatch, index, workflowRun, name: `${runName(walk, run)}.${index}.${copy}` },
      })),
    ),
  )

/** With the jobs of the first attempt of what was run again: their requests come late. */
const speakingOf = (walk: Walk): Out[] =>
  outOf(walk).flatMap((out) => {
    const { workflowRun, name } = out
    if (workflowRun.attempt === 1) return [out]
    return [out, { ...out, workflowRun: { ...workflowRun, attempt: 1 }, name: `${name}.late` }]
  })

const jobOf = ({ workflowRun: { id, attempt } }: Out) => ({ workflowRunId: id, attempt })

const forbidden: Said = { status: 403, code: 'forbidden' }

const dispatchIn = (model: Model, { run, index }: Out): Dispatch => {
  const dispatch = runOf(model, run.id).dispatches[index]
  if (!dispatch) throw new Error(`run ${run.id} of the model has no dispatch ${index}`)
  return dispatch
}

/** A job of another attempt than the one that is bound ends that one first: only what has ended is run again. */
const bindIn = (model: Model, out: Out): boolean => {
  const { id, attempt } = out.workflowRun
  const dispatch = dispatchIn(model, out)
  const isLater = dispatch.state === 'bound' && dispatch.workflowRunId === id && attempt > (dispatch.attempt ?? 0)
  if (isLater) complete(model, runOf(model, out.run.id), dispatch, dispatch.attempt ?? 1)
  return bind(dispatch, id, attempt)
}

const joining: Step = {
  name: 'a dispatched job begins',
  weight: 8,
  choices: (walk) =>
    speakingOf(walk).flatMap((out) =>
      out.dispatch.keys.map((key): Choice => ({ key: `${out.name} ${key}`, take: () => join(walk, out, key) })),
    ),
}

const join = async (walk: Walk, out: Out, key: string): Promise<void> => {
  const draft = structuredClone(walk.model)
  const wanted = bindIn(draft, out) ? mayBegin(draft, runOf(draft, out.run.id), key) : forbidden
  const answer = await askAsJob(walk, jobOf(out), '/v1/runs', { run_id: out.run.id, stacks: [key] })
  expectAnswer(walk, `a job of ${key}, which would begin,`, answer, wanted)
  if (wanted === forbidden) hearBinding(walk, out.dispatch, out.workflowRun.id)
  sendDue(draft)
  walk.model = draft
}

const mayBegin = (model: Model, run: Run, key: string): Said => {
  if (run.status === 'superseded') return { status: 409, code: 'superseded' }
  const row = run.rows[key]
  const isWaiting = row !== undefined && (isOpen(row) || row.status === 'unknown')
  const lock = lockOf(model, key)
  const isHeld = run.mode === 'plan' || (lock.run === run.id && lock.fence === row?.fence)
  return isWaiting && isHeld ? { status: 200 } : { status: 409, code: 'conflict' }
}

export const reporting: Step = {
  name: 'a dispatched job reports',
  weight: 14,
  choices: (walk) =>
    speakingOf(walk).flatMap((out) =>
      out.dispatch.keys.flatMap((key): Choice[] => {
        const row = out.run.rows[key]
        const isWaiting = row !== undefined && (isOpen(row) || row.status === 'unknown')
        return (isWaiting ? outcomes : outcomes.slice(2)).map((outcome, index) => ({
          key: `${out.name} ${key} ${outcome} ${index}`,
          take: () => reportResult(walk, out, key, outcome),
        }))
      }),
    ),
}

const reportResult = async (walk: Walk, out: Out, key: string, outcome: Outcome): Promise<void> => {
  const draft = structuredClone(walk.model)
  const isBound = bindIn(draft, out)
  const wanted = isBound ? report(draft, runOf(draft, out.run.id), key, outcome, 'dispatched') : forbidden
  const path = `${stackPath(out.run.id, key)}/result`
  const answer = await askAsJob(walk, jobOf(out), path, resultOf(out.run.mode, outcome))
  expectAnswer(walk, `the ${out.run.mode} of ${key} (${outcome})`, answer, wanted)
  if (isBound) hearResult(walk, out.run, key, wanted)
  else hearBinding(walk, out.dispatch, out.workflowRun.id)
  sendDue(draft)
  walk.model = draft
}

/** All that is out, well: so that walks get to the later waves. */
export const finishing: Step = {
  name: 'dispatched jobs report the rest',
  weight: 10,
  choices: (walk) =>
    outOf(walk).flatMap((out): Choice[] => {
      const keys = out.dispatch.keys.filter((key) => isOpen(out.run.rows[key] ?? { status: '' }))
      if (keys.length === 0) return []
      const take = async (): Promise<void> => {
        for (const key of keys) await reportResult(walk, out, key, 'changes')
      }
      return [{ key: out.name, take }]
    }),
}

const starting: Step = {
  name: 'news that a dispatched workflow run has begun',
  weight: 3,
  choices: (walk) =>
    outOf(walk)
      .filter(({ workflowRun }) => workflowRun.status !== 'completed')
      .map((out): Choice => ({ key: out.name, take: () => tell(walk, out, 'requested') })),
}

const ending: Step = {
  name: 'a dispatched workflow run ends',
  weight: 7,
  choices: (walk) =>
    outOf(walk)
      .filter(({ workflowRun }) => workflowRun.status !== 'completed')
      .map(
        (out): Choice => ({
          key: out.name,
          take: () => {
            Object.assign(out.workflowRun, { status: 'completed', conclusion: 'failure' })
            return tell(walk, out, 'completed')
          },
        }),
      ),
}

/** The news of a workflow run; what is followed is its state at the code host. */
const tell = async (walk: Walk, out: Out, action: string): Promise<void> => {
  await deliver(walk, newsOfWorkflow(walk.repository, out.workflowRun, action))
  hearNews(walk, out.dispatch, out.workflowRun)
  walk.model = changed(walk.model, (model) => {
    const dispatch = dispatchIn(model, out)
    const { id, attempt, status } = out.workflowRun
    if (dispatch.workflowRunId !== undefined && dispatch.workflowRunId !== id) return
    if (!bindIn(model, out) || status !== 'completed') return
    complete(model, runOf(model, out.run.id), dispatch, attempt)
    sendDue(model)
  })
}

const endingUnheard: Step = {
  name: 'a dispatched workflow run ends, and its news comes late',
  weight: 2,
  choices: (walk) =>
    outOf(walk)
      .filter(({ workflowRun }) => workflowRun.status !== 'completed')
      .map(
        ({ workflowRun, name }): Choice => ({
          key: name,
          take: async () => {
            Object.assign(workflowRun, { status: 'completed', conclusion: 'failure' })
          },
        }),
      ),
}

const endingLate: Step = {
  name: 'late news that a dispatched workflow run has ended',
  weight: 2,
  choices: (walk) =>
    outOf(walk)
      .filter(({ workflowRun: { status, attempt } }) => status === 'completed' || attempt > 1)
      .map((out): Choice => ({ key: out.name, take: () => tell(walk, out, 'completed') })),
}

const rerunning: Step = {
  name: 'a dispatched workflow run is run again',
  weight: 2,
  choices: (walk) =>
    outOf(walk)
      .filter(({ workflowRun }) => workflowRun.status === 'completed')
      .map(
        (out): Choice => ({
          key: out.name,
          take: async () => {
            Object.assign(out.workflowRun, { status: 'queued', conclusion: null, attempt: out.workflowRun.attempt + 1 })
          },
        }),
      ),
}

export const applySteps: readonly Step[] = [
  joining,
  reporting,
  finishing,
  starting,
  ending,
  endingUnheard,
  endingLate,
  rerunning,
]

import { hearResult } from '../heard.ts'
import { newsOfWorkflow } from '../host/news.ts'
import { fullNameOf, type HostWorkflowRun, newId } from '../host/records.ts'
import { isOpen, type Job, type Run, runOf } from '../model/model.ts'
import { endWorkflow, type Outcome, report, type Upload, upload } from '../model/plans.ts'
import { learn, newPlan, pullOf, register } from '../model/pulls.ts'
import {
  askAsJob,
  type Choice,
  changed,
  deliver,
  expectAnswer,
  likelier,
  resultOf,
  type Step,
  stackPath,
  type Walk,
} from '../walk.ts'

/* What the jobs of pull requests do: register, upload, report, and end. */

const plansOf = (walk: Walk): Run[] => walk.model.runs.filter(({ trigger }) => trigger === 'pull_request')

/** A run by its place among the walk's: its id differs from one run of the walk to the next. */
export const runName = (walk: Walk, run: Run): string => String(walk.model.runs.indexOf(run))

const newWorkflow = (walk: Walk): HostWorkflowRun => {
  const run: HostWorkflowRun = {
    ...{ id: newId(), event: 'pull_request', title: 'A change', path: '.github/workflows/svc-plan.yml', attempt: 1 },
    ...{ status: 'queued', conclusion: null, inputs: {}, createdAt: new Date().toISOString() },
  }
  walk.repository.workflowRuns.set(run.id, run)
  return run
}

/** An open pull request whose head nothing plans. */
const isHeadWithoutPlan = (walk: Walk): boolean =>
  Object.values(walk.model.pulls).some(
    ({ number, sha, state }) =>
      state === 'open' && !plansOf(walk).some((run) => run.pull === number && run.sha === sha),
  )

const registering: Step = {
  name: 'register',
  weight: likelier(isHeadWithoutPlan, 12, 2),
  choices: (walk) =>
    Object.values(walk.model.pulls).flatMap(({ number, sha }, index): Choice[] => {
      const older = plansOf(walk).find((run) => run.pull === number && run.sha !== sha)
      const known = plansOf(walk).findLast((run) => run.pull === number)
      return [
        { key: `${index} anew`, take: () => registerRun(walk, number, sha, undefined) },
        ...(older ? [{ key: `${index} older`, take: () => registerRun(walk, number, older.sha, older.job) }] : []),
        ...(known ? [{ key: `${index} again`, take: () => registerRun(walk, number, sha, known.job) }] : []),
      ]
    }),
}

const registerRun = async (walk: Walk, number: number, sha: string, known: Job | undefined): Promise<void> => {
  const job = known ?? { workflowRunId: newWorkflow(walk).id, attempt: 1 }
  const body = { repo: fullNameOf(walk.repository), sha, pr_number: number, mode: 'plan' }
  const draft = structuredClone(walk.model)
  const wanted = register(draft, number, sha, job)
  const answer = await askAsJob(walk, { ...job, pull: number }, '/v1/runs', body)
  // the first try may have been carried out by an instance that was killed before it answered
  const isRepeated = wanted.status === 201 && answer.status === 200 && answer.body?.existing === true
  if (!isRepeated) expectAnswer(walk, 'registering', answer, wanted)
  if (answer.status === 201 || isRepeated)
    draft.runs.push(newPlan(answer.body.run_id, pullOf(draft, number), 'pull_request', job))
  else if (wanted.run && answer.body?.run_id !== wanted.run.id)
    walk.broken.push(`registering finds run ${answer.body?.run_id}, where the model says ${wanted.run.id}`)
  if (answer.status < 300) learn(draft, number)
  walk.model = draft
}

/** Uploads by name: all stacks, some of them, none, or a cycle. */
const uploads = (walk: Walk): Upload[] => {
  const keys = Object.keys(walk.model.graph)
  return [
    { name: 'all', keys, isCycle: false },
    { name: 'some', keys: keys.filter((_, index) => index !== 1), isCycle: false },
    { name: 'one', keys: keys.slice(-1), isCycle: false },
    { name: 'none', keys: [], isCycle: false },
    { name: 'cycle', keys, isCycle: true },
  ]
}

const uploading: Step = {
  name: 'upload',
  weight: likelier((walk) => plansOf(walk).some(({ status }) => status === 'pending'), 20, 1.5),
  choices: (walk) =>
    plansOf(walk).flatMap((run) => {
      // the graph of a merged one becomes the default branch's, and one with a cycle would be in the way of later walks
      const isMerged = walk.model.pulls[run.pull ?? 0]?.state === 'merged'
      const named = uploads(walk)
        .filter(({ isCycle }) => !(isCycle && isMerged))
        .map((one) => ({ ...one, isLikely: one.name === 'all' || one.name === 'some' }))
      // mostly one that is planned
      const wanted = [...named, ...named.filter(({ isLikely }) => isLikely)]
      return wanted.map(
        (one, index): Choice => ({
          key: `${runName(walk, run)} ${one.name} ${index}`,
          take: () => uploadGraph(walk, run, one),
        }),
      )
    }),
}

const uploadGraph = async (walk: Walk, run: Run, sent: Upload): Promise<void> => {
  const { graph } = walk.model
  const { job, pull } = run
  if (!job || pull === undefined) return
  const node = (key: string) => ({ kind: 'stack', key })
  const all = Object.entries(graph).flatMap(([key, needs]) => needs.map((need) => [key, need] as const))
  const [first = '', second = ''] = Object.keys(graph)
  const edges = [
    ...all,
    ...(sent.isCycle
      ? ([
          [first, second],
          [second, first],
        ] as const)
      : []),
  ]
  const body = {
    graph: {
      ...{ repo: fullNameOf(walk.repository), sha: run.sha, tree_hash: `tree ${sent.isCycle}`, modules: [] },
      stacks: Object.keys(graph).map((key) => ({ key, path: key })),
      edges: edges.map(([from, to]) => ({ from: node(from), to: node(to), type: 'depends_on' })),
    },
    config: { version: 1, tool: 'terraform' },
    ...(sent.keys.length > 0 ? { stacks: sent.keys } : {}),
  }
  const draft = structuredClone(walk.model)
  const wanted = upload(draft, runOf(draft, run.id), job, sent)
  const answer = await askAsJob(walk, { ...job, pull }, `/v1/runs/${run.id}/graph`, body)
  expectAnswer(walk, `uploading ${sent.name}`, answer, wanted)
  walk.model = draft
}

export const outcomes: readonly Outcome[] = ['changes', 'changes', 'changes', 'none', 'failed', 'unconfirmed']

const reporting: Step = {
  name: 'report a plan',
  weight: likelier((walk) => plansOf(walk).some(({ status }) => status === 'planning'), 10, 1.5),
  choices: (walk) =>
    plansOf(walk).flatMap((run) =>
      Object.entries(run.rows).flatMap(([key, row]): Choice[] => {
        const likely = outcomes.map(
          (outcome, index): Choice => ({
            key: `${runName(walk, run)} ${key} ${outcome} ${index}`,
            take: () => reportPlan(walk, run, key, outcome),
          }),
        )
        if (isOpen(row)) return [...likely, ...likely.slice(0, 3)]
        // the recorded one, and others
        return likely.slice(2)
      }),
    ),
}

const reportPlan = async (walk: Walk, run: Run, key: string, outcome: Outcome): Promise<void> => {
  const { job, pull } = run
  if (!job || pull === undefined) return
  const draft = structuredClone(walk.model)
  const wanted = report(draft, runOf(draft, run.id), key, outcome, 'pull_request')
  const path = `${stackPath(run.id, key)}/result`
  const answer = await askAsJob(walk, { ...job, pull }, path, resultOf('plan', outcome))
  expectAnswer(walk, `the plan of ${key} (${outcome})`, answer, wanted)
  hearResult(walk, run, key, wanted)
  walk.model = draft
}

/** All that is left, well: so that walks get somewhere. */
const finishing: Step = {
  name: 'report the rest of a plan',
  weight: 15,
  choices: (walk) =>
    plansOf(walk)
      .filter(({ status }) => status === 'planning')
      .map(
        (run): Choice => ({
          key: runName(walk, run),
          take: async () => {
            const rest = Object.entries(run.rows).filter(([, row]) => isOpen(row))
            for (const [key] of rest) await reportPlan(walk, run, key, 'changes')
          },
        }),
      ),
}

const ending: Step = {
  name: "end a pull request's workflow run",
  weight: 3,
  choices: (walk) =>
    plansOf(walk).flatMap((run): Choice[] => {
      const { job } = run
      if (!job || !['pending', 'planning'].includes(run.status)) return []
      return [{ key: runName(walk, run), take: () => endJob(walk, job) }]
    }),
}

const endJob = async (walk: Walk, job: Job): Promise<void> => {
  const workflowRun = walk.repository.workflowRuns.get(job.workflowRunId)
  if (!workflowRun) return
  Object.assign(workflowRun, { status: 'completed', conclusion: 'failure' })
  await deliver(walk, newsOfWorkflow(walk.repository, workflowRun, 'completed'))
  walk.model = changed(walk.model, (model) => endWorkflow(model, job))
}

export const planSteps: readonly Step[] = [registering, uploading, reporting, finishing, ending]

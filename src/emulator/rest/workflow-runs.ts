import { jobBody, workflowRunBody } from '#emulator/bodies/workflow-run.ts'
import type { WorkflowRun } from '#emulator/records.ts'
import { latestJobs } from '#emulator/workflows/start.ts'
import { findWorkflow } from '#emulator/workflows/workflow-of.ts'
import type { RepositoryCall } from './serving/call.ts'
import { notFound } from './serving/errors.ts'
import { paginate } from './serving/pagination.ts'
import { repositoryRoute } from './serving/route.ts'

/** A filtered listing shows no more. */
const maxFiltered = 1000

/** The workflow run in a path. */
export const runOf = ({ world, repository, params }: RepositoryCall): WorkflowRun => {
  const run = world.store.workflowRuns.get(Number(params.run_id))
  if (!run || run.repository !== repository) throw notFound()
  return run
}

/** `created` in the search syntax: a date or time with >=, <=, > or < before it, or two with .. between. */
const inPeriod = (created: string, at: Date): boolean => {
  const [from, to] = created.split('..')
  if (to !== undefined) return inPeriod(`>=${from}`, at) && inPeriod(`<=${to}`, at)
  const [, sign = '', date = ''] = /^([<>]=?)?(.*)$/.exec(created) ?? []
  const shown = at.toISOString().slice(0, 19)
  const wanted = date.replace(/Z$/, '')
  const compared = shown.slice(0, wanted.length)
  if (sign === '>=') return compared >= wanted
  if (sign === '<=') return compared <= wanted
  if (sign === '>') return compared > wanted
  if (sign === '<') return compared < wanted
  return compared === wanted
}

const filters: Record<string, (run: WorkflowRun, wanted: string) => boolean> = {
  event: (run, wanted) => run.event === wanted,
  branch: (run, wanted) => run.headBranch === wanted,
  head_sha: (run, wanted) => run.headSha === wanted,
  actor: (run, wanted) => run.actor.login === wanted,
  // GitHub takes conclusions here too.
  status: (run, wanted) => run.status === wanted || run.conclusion === wanted,
  created: (run, wanted) => inPeriod(wanted, run.createdAt),
}

const listRuns = async (call: RepositoryCall) => {
  const { world, query, repository, params } = call
  const workflow = await findWorkflow(world, repository, params.workflow_id ?? '')
  if (!workflow) throw notFound()
  const runs = [...world.store.workflowRuns.values()].filter((run) => run.workflow === workflow).reverse()
  const used = Object.entries(filters).filter(([name]) => query[name] !== undefined)
  const matching = runs.filter((run) => used.every(([name, matches]) => matches(run, query[name] ?? '')))
  const listed = used.length > 0 ? matching.slice(0, maxFiltered) : matching
  return paginate(call, listed, (page) => ({
    total_count: matching.length,
    workflow_runs: page.map((run) => workflowRunBody(world, run)),
  }))
}

const listJobs = (call: RepositoryCall) => {
  const { world, query } = call
  const run = runOf(call)
  const all = [...world.store.jobs.values()].filter((job) => job.run === run)
  const jobs = query.filter === 'all' ? all : latestJobs(world, run)
  return paginate(call, jobs, (page, total) => ({
    total_count: total,
    jobs: page.map((job) => jobBody(world, job)),
  }))
}

/** GitHub Docs, 'REST API endpoints for workflow runs' and '… for workflow jobs'. */
export const workflowRunRoutes = [
  repositoryRoute('GET', '/actions/runs/{run_id}', ['actions', 'read'], (call) => ({
    body: workflowRunBody(call.world, runOf(call)),
  })),
  repositoryRoute('GET', '/actions/runs/{run_id}/jobs', ['actions', 'read'], listJobs),
  repositoryRoute('GET', '/actions/workflows/{workflow_id}/runs', ['actions', 'read'], listRuns),
]

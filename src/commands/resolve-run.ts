import { createHash, randomUUID } from 'node:crypto'
import { findReferenceGraph, hasTree, putGraph } from '#db/graphs.ts'
import { locksOfOthers } from '#db/locks.ts'
import { lockPullRequest } from '#db/pull-requests.ts'
import { settleDefaultGraph } from '#db/repositories.ts'
import { findResolution, findRun, lockRuns, type RunRow, setResolution } from '#db/runs.ts'
import type { Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { matrixOf } from '#domain/matrix.ts'
import type { Resolution } from '#domain/resolve.ts'
import type { Warning } from '#domain/warnings.ts'
import { invalid, Problem } from '#errors.ts'
import type { MachineEvent } from '#runtime/message.ts'
import { actorOf, type Caller, claimProblem, isOfJob, namesOf, type RunnerCaller, supersededProblem } from './caller.ts'
import { readDefaultConfig } from './default-config.ts'
import type { Deps } from './deps.ts'
import { repoRefOf } from './repo-ref.ts'
import type { ResolvedUpload, UploadFacts } from './resolve-upload.ts'
import { scheduleStacks } from './schedule-stacks.ts'
import { present } from './shapes.ts'

/**
 * Takes the graph of a run's commit and answers the affected stacks in waves (spec, 'POST /v1/runs/{id}/graph'). `text` is
 * the body as it came. What the upload says of the change is united with what the code host says of it, and resolved under
 * the default branch's configuration too.
 */
export const resolveRun = async (
  deps: Deps,
  caller: Caller,
  runId: string,
  text: string,
  cause?: string,
): Promise<object> => {
  if (caller.kind !== 'runner') throw new Problem('forbidden', "only the pull request's own job may upload a graph")
  const run = await findRun(deps.pool, runId)
  if (!run) throw new Problem('not_found', `run ${runId} does not exist`)
  const problem = mayUpload(caller, run)
  if (problem) throw problem
  const { facts, warnings } = await gatherFacts(deps, caller, run)
  const upload = await resolveWithoutGone(deps, caller, text, facts)
  if (!upload.ok) throw invalid(upload.field, upload.reason)
  upload.resolution.warnings.unshift(...warnings)
  const digest = createHash('sha256').update(text).digest('hex')
  const answer = await transact(deps.pool, (tx) => record(deps, tx, caller, { runId, upload, digest, cause }))
  if (answer instanceof Problem) throw answer
  return answer
}

/** Judged before the work and again under the run's lock. */
const mayUpload = (caller: RunnerCaller, run: RunRow): Problem | undefined => {
  const foreign = claimProblem(caller, run)
  if (foreign) return foreign
  if (run.status === 'superseded') return supersededProblem()
  if (!isOfJob(run, caller)) {
    return new Problem(
      'forbidden',
      'only the workflow run that created the run, in the same attempt, may upload its graph',
    )
  }
  if (run.status !== 'pending' && run.status !== 'planning' && run.upload_digest === null) {
    return new Problem('conflict', `the run is ${run.status}: it takes no graph any more`)
  }
  return undefined
}

const gatherFacts = async (
  deps: Deps,
  caller: RunnerCaller,
  run: RunRow,
): Promise<{ facts: UploadFacts; warnings: Warning[] }> => {
  const { repository } = caller
  const [defaults, graph, hostPaths] = await Promise.all([
    readDefaultConfig(deps, repository),
    findReferenceGraph(deps.pool, repository.id),
    run.pr_number === null ? undefined : deps.codehost.listPullRequestPaths(repoRefOf(repository), run.pr_number),
  ])
  const facts = {
    repos: namesOf(caller),
    sha: run.sha,
    defaultConfig: defaults.config,
    defaultGraph: graph?.body,
    hostPaths,
    goneDirectories: [],
  }
  return { facts, warnings: defaults.warnings }
}

/**
 * Resolves, and looks whether the stacks that only the default branch knows of are still there in the commit: one whose
 * directory the pull request deletes is not planned. The graph alone cannot tell it from one that is merely hidden.
 */
const resolveWithoutGone = async (
  deps: Deps,
  caller: RunnerCaller,
  text: string,
  facts: UploadFacts,
): Promise<ResolvedUpload> => {
  const upload = await deps.resolveUpload(text, facts)
  if (!upload.ok || upload.resolution.addedStacks.length === 0) return upload
  const repo = repoRefOf(caller.repository)
  const directories = [...new Set(upload.resolution.addedStacks.map((stack) => stack.path))]
  const there = await Promise.all(directories.map((path) => deps.codehost.hasPath(repo, path, facts.sha)))
  const goneDirectories = directories.filter((_, index) => !there[index])
  return goneDirectories.length === 0 ? upload : deps.resolveUpload(text, { ...facts, goneDirectories })
}

type Upload = Extract<Awaited<ReturnType<Deps['resolveUpload']>>, { ok: true }>

const record = async (
  deps: Deps,
  tx: Tx,
  caller: RunnerCaller,
  { runId, upload, digest, cause }: { runId: string; upload: Upload; digest: string; cause: string | undefined },
): Promise<object | Problem> => {
  // the one order: the pull request, then its runs
  const { repository, claims } = caller
  const pull = claims.prNumber === undefined ? undefined : await lockPullRequest(tx, repository.id, claims.prNumber)
  const [run] = await lockRuns(tx, [runId])
  const problem = run ? mayUpload(caller, run) : new Problem('not_found', `run ${runId} does not exist`)
  if (problem || !run) return problem ?? new Problem('not_found', `run ${runId} does not exist`)
  // the client did not get the answer and sends the same again
  if (run.upload_digest === digest) return JSON.parse((await findResolution(tx, runId)) ?? '{}')
  if (run.status !== 'pending' && run.status !== 'planning') {
    return new Problem('conflict', `the run is ${run.status}: it takes no other graph`)
  }
  const who = { actor: actorOf(caller), ...(cause ? { cause } : {}) }
  const { resolution, graph } = upload
  const cached = await hasTree(tx, run.repo_id, graph.treeHash)
  const graphId = await putGraph(tx, { ...graph, id: randomUUID(), repoId: run.repo_id, sha: run.sha })
  // merged while its plan was under way: what it brought to the default branch is known only now
  if (pull?.mergedAt) await settleDefaultGraph(tx, repository.id)
  const event = await scheduled(deps, tx, run, { upload, who })
  const answer = await answerOf(tx, run, resolution, cached)
  const at = deps.clock.now().toISOString()
  await setResolution(tx, {
    id: run.id,
    graphId,
    baseSha: upload.baseSha ?? null,
    uploadDigest: digest,
    resolution: JSON.stringify(answer),
    failure: resolution.cycles.length > 0 ? { reason: cycleReason, cycles: resolution.cycles } : null,
    warnings: resolution.warnings.map((warning) => ({ ...warning, at })),
  })
  const [sent] = await deps.runtime.sendAll(tx, [{ to: { kind: 'run', id: run.id }, event, ...who }])
  return sent?.problem ?? answer
}

const cycleReason = 'stacks depend on each other in a cycle'

/** Puts the stacks in place and answers what the run is told. A cycle leaves them as an earlier upload made them. */
const scheduled = async (
  deps: Deps,
  tx: Tx,
  run: RunRow,
  { upload, who }: { upload: Upload; who: { actor: string; cause?: string } },
): Promise<MachineEvent> => {
  const { affected, cycles } = upload.resolution
  if (cycles.length > 0) return { type: 'resolution.failed', reason: cycleReason, cycles } as MachineEvent
  const tallies = await scheduleStacks(deps.runtime, tx, {
    run: { id: run.id, repoId: run.repo_id, mode: run.mode },
    stacks: affected,
    keys: upload.graph.keys,
    who,
  })
  return { type: 'graph.resolved', tallies } as MachineEvent
}

/** What the job is answered (spec, 'ResolveResponse'); what is empty is left out, but for the lists that are the answer itself. */
const answerOf = async (tx: Tx, run: RunRow, resolution: Resolution, cached: boolean): Promise<object> => {
  const { affected, waves, warnings, cycles, external } = resolution
  const held = await locksOfOthers(
    tx,
    run.repo_id,
    run.pr_number,
    affected.map((stack) => stack.key),
  )
  return {
    run_id: run.id,
    affected: affected.map((stack) => present({ ...stack, locked_by: held.get(stack.key) })),
    waves,
    matrix: matrixOf(affected, run.sha),
    cached,
    ...present({ warnings, cycles, external }),
  }
}

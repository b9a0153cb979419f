import { randomUUID } from 'node:crypto'
import { hasTree, putGraph } from '#db/graphs.ts'
import { listStacks } from '#db/listed-stacks.ts'
import { locksOfOthers } from '#db/locks.ts'
import { lockPullRequest } from '#db/pull-requests.ts'
import { settleDefaultGraph } from '#db/repositories.ts'
import { findResolution, lockRuns, type RunRow, setResolution } from '#db/runs.ts'
import type { Tx } from '#db/sql.ts'
import { ensureStacks } from '#db/stacks.ts'
import { matrixOf } from '#domain/matrix.ts'
import type { Resolution } from '#domain/resolve.ts'
import { Problem } from '#errors.ts'
import type { MachineEvent, Who } from '#runtime/message.ts'
import { actorOf, claimProblem, isOfJob, type RunnerCaller, supersededProblem } from './caller.ts'
import type { Deps } from './deps.ts'
import type { ResolvedUpload } from './resolve-upload.ts'
import { scheduleStacks } from './schedule-stacks.ts'
import { present } from './shapes.ts'

/** Judged before the work and again under the run's lock. */
export const mayUpload = (caller: RunnerCaller, run: RunRow): Problem | undefined => {
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

type Upload = Extract<ResolvedUpload, { ok: true }>

/** Makes a run what its upload was resolved to, under the locks, and answers the job; nothing of it where the job may not. */
export const recordUpload = async (
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
  const who = { actor: actorOf(caller), cause }
  const { resolution, graph } = upload
  const cached = await hasTree(tx, run.repo_id, graph.treeHash)
  const graphId = await putGraph(tx, { ...graph, id: randomUUID(), repoId: run.repo_id, sha: run.sha })
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
  // nothing of it may stay
  if (sent?.problem) throw sent.problem
  // merged while its plan was under way: what it brought to the default branch is known only now. After the stacks have their
  // rows, since both list them, and keep the repository's row that nobody who makes stacks may wait behind
  await (pull?.mergedAt ? settleDefaultGraph : listStacks)(tx, run.repo_id)
  return answer
}

const cycleReason = 'stacks depend on each other in a cycle'

/** Puts the stacks in place and answers what the run is told. A cycle leaves them as an earlier upload made them. */
const scheduled = async (
  deps: Deps,
  tx: Tx,
  run: RunRow,
  { upload, who }: { upload: Upload; who: Who },
): Promise<MachineEvent> => {
  const { affected, cycles } = upload.resolution
  const { keys } = upload.graph
  if (cycles.length > 0) {
    await ensureStacks(tx, run.repo_id, keys)
    return { type: 'resolution.failed', reason: cycleReason, cycles }
  }
  const tallies = await scheduleStacks(deps.runtime, tx, {
    run: { id: run.id, repoId: run.repo_id, mode: run.mode },
    stacks: affected,
    keys,
    who,
  })
  return { type: 'graph.resolved', tallies }
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

import { actorOf, type RunnerCaller } from '#commands/callers/caller.ts'
import { claimProblem, isOfJob } from '#commands/callers/claim-problem.ts'
import type { ResolvedUpload } from '#commands/resolving/resolve-upload.ts'
import { planStacks } from '#commands/runs/place-stacks.ts'
import { supersededProblem } from '#commands/runs/superseded-problem.ts'
import { present } from '#commands/shapes/shape-run.ts'
import { type HeldByOthers, locksOfOthers } from '#db/machines/locks.ts'
import { lockRuns, type RunRow, resolutionOf, setResolution } from '#db/machines/runs.ts'
import { hasTree, putGraph } from '#db/repositories/graphs.ts'
import { addListedStacks, graphToListBy, listStacks } from '#db/repositories/listed-stacks.ts'
import { lockPullRequest } from '#db/repositories/pull-requests.ts'
import { lockRepository, settleDefaultGraph } from '#db/repositories/repositories.ts'
import { ensureStacks, type StackIds } from '#db/repositories/stacks.ts'
import type { Reader, Tx } from '#db/sql.ts'
import { waitLonger } from '#db/transact.ts'
import { matrixOf } from '#domain/resolution/matrix.ts'
import type { Resolution } from '#domain/resolution/resolve.ts'
import type { ResolveAnswer } from '#domain/resolution/resolve-answer.ts'
import { isOpen } from '#domain/run-status.ts'
import { Problem } from '#errors.ts'
import { newId } from '#ids.ts'
import { inPortions, jsonInPortions } from '#portions.ts'
import type { Who } from '#runtime/message.ts'
import type { Runtime } from '#runtime/runtime.ts'
import type { Deps } from '../deps.ts'

/** Whether a job may upload a graph; judged before the work and again under the run's lock. */
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
  if (!isOpen(run.status) && run.upload_digest === null) {
    return new Problem('conflict', `the run is ${run.status}: it takes no graph any more`)
  }
  return undefined
}

/** The answer to this very upload, if it has had one: the client missed it, and sends the same again. */
export const answerBefore = async (db: Reader, run: RunRow, digest: string): Promise<Uint8Array | undefined> => {
  if (run.upload_digest !== digest) return undefined
  const { resolution, ended_run } = await resolutionOf(db, run.id)
  return isOpen(run.status) || ended_run ? Buffer.from(resolution) : undefined
}

type Upload = Extract<ResolvedUpload, { ok: true }>

/**
 * Records what an upload was resolved to, under the locks, and returns the answer to the job as UTF-8 JSON text; records nothing if
 * the job may not upload.
 */
export const recordUpload = async (
  deps: Deps,
  tx: Tx,
  caller: RunnerCaller,
  { runId, upload, digest, cause }: { runId: string; upload: Upload; digest: string; cause: string | undefined },
): Promise<Uint8Array | Problem> => {
  // always in this order: the pull request, then its runs
  const { repository, claims } = caller
  const pull = claims.prNumber === undefined ? undefined : await lockPullRequest(tx, repository.id, claims.prNumber)
  const [run] = await lockRuns(tx, [runId])
  const problem = run ? mayUpload(caller, run) : new Problem('not_found', `run ${runId} does not exist`)
  if (problem || !run) return problem ?? new Problem('not_found', `run ${runId} does not exist`)
  const answered = await answerBefore(tx, run, digest)
  if (answered !== undefined) return answered
  if (!isOpen(run.status)) return new Problem('conflict', `the run is ${run.status}: it takes no graph any more`)
  await waitLonger(tx)
  const who = { actor: actorOf(caller), cause }
  const { resolution, graph } = upload
  const cached = await hasTree(tx, run.repo_id, graph.tree_hash)
  const held = await locksOfOthers(
    tx,
    run.repo_id,
    run.pr_number,
    resolution.affected.map(({ key }) => key),
  )
  // the answer is made while Postgres stores the graph: some 0.1 s for 6,000 stacks
  const making = answerOf(run, resolution, { held, cached }).then(jsonInPortions)
  // heard of below: a rollback before would not keep putGraph from its second statement
  making.catch(() => {})
  const graphId = await putGraph(tx, { ...graph, id: newId(), repo_id: run.repo_id, sha: run.sha })
  const answer = await making
  const at = deps.clock.now().toISOString()
  await setResolution(tx, {
    id: run.id,
    graph_id: graphId,
    base_sha: upload.baseSha ?? null,
    upload_digest: digest,
    resolution: answer,
    failure: resolution.cycles.length > 0 ? { reason: cycleReason, cycles: resolution.cycles } : null,
    warnings: resolution.warnings.map((warning) => ({ ...warning, at })),
  })
  // merged while its plan was under way: only now is it known what it brought to the default branch
  const isMerged = pull?.merged_at !== undefined && pull.merged_at !== null
  // before the stacks' rows are noted as their standing: whoever lists stacks goes on from the repository's row to how they stand
  const isToBeListed = (await graphToListBy(tx, run.repo_id)) !== undefined
  if (isMerged || isToBeListed) await lockRepository(tx, run.repo_id)
  // asked again: another upload may have listed them while this one waited for the lock
  const isNew = isToBeListed && !isMerged && (await graphToListBy(tx, run.repo_id)) === graphId
  const added = isNew ? await addListedStacks(tx, { repoId: run.repo_id, graphId, keys: graph.keys }) : undefined
  await schedule(deps.runtime, tx, run, { upload, ids: added?.ids, who })
  // after the stacks have their rows, since both functions list them
  if (isMerged) await settleDefaultGraph(tx, run.repo_id)
  else await listStacks(tx, run.repo_id, added?.areAll ? graphId : undefined)
  return answer
}

const cycleReason = 'stacks depend on each other in a cycle'

/** Stores the stacks, and tells the run of them. A cycle leaves them as an earlier upload made them. */
const schedule = async (
  runtime: Runtime,
  tx: Tx,
  run: RunRow,
  { upload, ids, who }: { upload: Upload; ids: StackIds | undefined; who: Who },
): Promise<void> => {
  const { affected, cycles } = upload.resolution
  const { keys } = upload.graph
  if (cycles.length === 0) {
    const of = { id: run.id, repoId: run.repo_id, mode: run.mode }
    return planStacks(runtime, tx, { run: of, stacks: affected, keys, ids, who }, 'graph.resolved')
  }
  await ensureStacks(tx, run.repo_id, keys, ids)
  const event = { type: 'resolution.failed', reason: cycleReason, cycles } as const
  const [sent] = await runtime.sendAll(tx, [{ to: { kind: 'run', id: run.id }, event, ...who }])
  // roll all of it back
  if (sent?.problem) throw sent.problem
}

/** The answer to the job (docs/interface.md, 'ResolveResponse'). */
const answerOf = async (
  run: RunRow,
  { affected, waves, warnings, cycles, external }: Resolution,
  { held, cached }: { held: HeldByOthers; cached: boolean },
): Promise<ResolveAnswer> => {
  const include = await inPortions(affected, (portion) => matrixOf(portion, run.sha).include)
  return {
    run_id: run.id,
    cached,
    ...present({
      affected: await inPortions(affected, (portion) =>
        portion.map(({ via, ...stack }) => ({ ...stack, ...present({ via, locked_by: held.get(stack.key) }) })),
      ),
      waves,
      matrix: include.length === 0 ? undefined : { include },
      warnings,
      cycles,
      external,
    }),
  }
}

import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { RepoRef } from '#codehost/port.ts'
import { checkRunsOf, putCheckRun } from '#db/check-runs.ts'
import { findPullRequest, setComment } from '#db/pull-requests.ts'
import { runStackViewsOf } from '#db/views/run-stack-view.ts'
import { findRunView, type RunView } from '#db/views/run-view.ts'
import type { CheckRunWanted } from '#domain/check-run.ts'
import { wantedCheckRuns } from '#domain/check-runs.ts'
import { commentMarker, pullComment } from '#domain/pull-comment.ts'
import type { RunReport } from '#domain/run-report.ts'
import type { Handler, HandlerDeps, Stopping } from '../handler.ts'
import { runReport } from '../run-report.ts'

const Payload = z.object({ run_id: z.string() })

/**
 * Makes a run's check runs and its pull request's comment say what the database says now. What was sent is remembered by
 * its digest, so that only what changed is sent; what is not remembered is looked for on the code host before it is made,
 * since a worker may have died between making it and remembering it.
 */
export const publishRun: Handler = async (deps, job) => {
  const { run_id: runId } = Payload.parse(job.payload)
  const run = await findRunView(deps.pool, runId)
  if (!run) return 'ignored'
  const repo = { installationId: run.installation_id, owner: run.owner, name: run.name }
  const report = runReport(deps.baseUrl, run, await runStackViewsOf(deps.pool, runId))
  await publishChecks(deps, repo, run, wantedCheckRuns(report))
  if (run.pr_number !== null && run.is_newest) await publishComment(deps, repo, run, report)
  return undefined
}

const digestOf = (content: unknown): string => createHash('sha256').update(JSON.stringify(content)).digest('hex')

const publishChecks = async (
  deps: HandlerDeps & Stopping,
  repo: RepoRef,
  run: RunView,
  wanted: readonly CheckRunWanted[],
): Promise<void> => {
  const known = await checkRunsOf(deps.pool, run.id)
  const found = wanted.every((check) => known.has(check.name)) ? [] : await deps.codehost.listCheckRuns(repo, run.sha)
  for (const check of wanted) {
    deps.signal.throwIfAborted()
    const digest = digestOf(check)
    const made = known.get(check.name)
    if (made?.digest === digest) continue
    const there = found.find((other) => other.name === check.name && other.externalId === check.externalId)
    const id = made?.check_run_id ?? there?.id
    // false: the code host deletes old ones itself
    const updated = id !== undefined && (await deps.codehost.updateCheckRun(repo, id, check))
    const checkRunId = updated ? id : await deps.codehost.createCheckRun(repo, check)
    await putCheckRun(deps.pool, run.id, { name: check.name, check_run_id: checkRunId, digest })
  }
}

const publishComment = async (deps: HandlerDeps, repo: RepoRef, run: RunView, report: RunReport): Promise<void> => {
  const pull = await findPullRequest(deps.pool, run.repo_id, run.pr_number ?? 0)
  if (!pull) return
  const body = pullComment(report)
  const digest = digestOf(body)
  if (pull.commentDigest === digest) return
  const id = pull.commentId ?? (await deps.codehost.findComment(repo, pull.number, commentMarker))
  // false: a person deleted it
  const updated = id !== undefined && (await deps.codehost.updateComment(repo, id, body))
  const commentId = updated ? id : await deps.codehost.createComment(repo, pull.number, body)
  await setComment(deps.pool, pull, { id: commentId, digest })
}

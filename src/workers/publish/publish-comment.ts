import { addJobs } from '#db/queue/jobs.ts'
import { findPullRequest, type PullRequestRow, setComment } from '#db/repositories/pull-requests.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import type { RunView } from '#db/views/runs/run-view.ts'
import type { ApplyMode } from '#domain/comments/next-step.ts'
import { type CommentOptions, commentMarker, pullComment } from '#domain/comments/pull-comment.ts'
import type { RunReport } from '#domain/run-report.ts'
import { makeJob } from '#jobs/job.ts'
import type { HandlerDeps } from '../handler.ts'
import type { ReadPolicy } from './closed-note.ts'
import { digestOf } from './digest.ts'
import { applyReport, planReport } from './plan-report.ts'
import { type ReadWhole, withWholePlans } from './whole-plans.ts'

/** Brings the one comment of a pull request up to date with its newest plan and its newest apply. */
export const publishComment = async (
  deps: HandlerDeps,
  run: RunView,
  { report, looks, read, policyOf }: { report: RunReport; looks: number; read: ReadWhole; policyOf: ReadPolicy },
): Promise<void> => {
  const number = run.pr_number ?? 0
  const pull = await findPullRequest(deps.pool, run.repo_id, number)
  const repository = await deps.findRepository(run.repo_id)
  const wanted = { repoId: run.repo_id, prNumber: number, read: report }
  const plan = await planReport(deps, wanted)
  const applied = await applyReport(deps, wanted)
  const shown = plan ?? applied
  if (!pull || !repository || !shown) return
  const mode = await applyMode(policyOf, run.repo_id, shown)
  const conflict = await conflictOf(deps, repository, pull, shown)
  if (conflict === 'not known yet' && looks < looksAtMost) await lookAgain(deps, run, looks + 1)
  const body = pullComment(await withWholePlans(shown, read), {
    ...(plan && applied ? { applied } : {}),
    ...(mode ? { apply: mode } : {}),
    ...(conflict === 'conflicts' ? { notes: [conflictNote(pull)] } : {}),
  } satisfies CommentOptions)
  await write(deps, repository, pull, body)
}

const write = async (deps: HandlerDeps, repository: Repository, pull: PullRequestRow, body: string): Promise<void> => {
  const digest = digestOf(body)
  if (pull.comment_digest === digest) return
  const id = pull.comment_id ?? (await deps.codehost.findComment(repository, pull.number, commentMarker))
  // false: a person deleted it
  const updated = id !== undefined && (await deps.codehost.updateComment(repository, id, body))
  const commentId = updated ? id : await deps.codehost.createComment(repository, pull.number, body)
  await setComment(deps.pool, pull, { id: commentId, digest })
}

/** How applies start; asked only if the comment says what to do next with a plan. */
const applyMode = async (
  policyOf: ReadPolicy,
  repoId: number,
  { run, stacks }: RunReport,
): Promise<ApplyMode | undefined> => {
  if (run.mode !== 'plan' || run.status !== 'planned' || stacks.length === 0) return undefined
  const policy = await policyOf(repoId)
  return policy?.ok ? policy.config.apply.mode : undefined
}

type Conflict = 'conflicts' | 'none' | 'not known yet'

/**
 * The code host starts no workflow run for a pull request that conflicts, so the comment would wait for ever for the run of
 * the new commit. Asked only if a commit has replaced the run: then either jobs come, or this is why they do not.
 */
const conflictOf = async (
  { codehost }: HandlerDeps,
  repository: Repository,
  pull: PullRequestRow,
  { run }: RunReport,
): Promise<Conflict> => {
  if (run.status !== 'superseded' || pull.state !== 'open') return 'none'
  const now = await codehost.getPullRequest(repository, pull.number)
  if (now?.mergeable === null) return 'not known yet'
  return now?.mergeable === false ? 'conflicts' : 'none'
}

const conflictNote = (pull: PullRequestRow): string =>
  `This pull request conflicts with ${pull.base_ref}: until that is resolved, no workflow run starts for it, and nothing is planned.`

/** The code host takes some seconds after a push to find out whether a pull request can be merged. */
const looksAtMost = 3
const lookAfterMs = 20_000

const lookAgain = async ({ pool, clock }: HandlerDeps, run: RunView, looks: number): Promise<void> => {
  const runAt = new Date(+clock.now() + lookAfterMs)
  const more = { installationId: run.installation_id, cause: null, runAt }
  await addJobs(pool, [makeJob('publish_run', { run_id: run.id, looks }, more)])
}

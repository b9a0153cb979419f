import { indexModules } from '#commands/across/index-modules.ts'
import { planDownstream } from '#commands/across/plan-downstream.ts'
import { propagateApply } from '#commands/across/propagate-apply.ts'
import { readTags } from '#commands/across/read-tags.ts'
import { askWindow } from '#commands/dispatches/ask-window.ts'
import { sendDispatch } from '#commands/dispatches/send-dispatch.ts'
import { keepDriftIssue } from '#commands/drift/keep-drift-issue.ts'
import { queueDueDrift } from '#commands/drift/queue-due-drift.ts'
import { startDrift } from '#commands/drift/start-drift.ts'
import { makeMonths } from '#commands/history/make-months.ts'
import { followConfig } from '#commands/host-news/follow-push.ts'
import { healStaleLocks } from '#commands/patrol/heal-stale-locks.ts'
import { storePlans } from '#commands/patrol/store-plans.ts'
import type { JobRow } from '#db/queue/jobs.ts'
import { isJobKind, type JobKind, readPayload } from '#jobs/job.ts'
import type { Handler, JobHandler } from '../handler.ts'
import { addReaction } from './add-reaction.ts'
import { applyOnMergeHandler } from './apply-on-merge.ts'
import { archiveHistoryHandler } from './archive-history.ts'
import { commentLock } from './comment-lock.ts'
import { handleDelivery } from './delivery.ts'
import { dispatchWaveHandler } from './dispatch-wave.ts'
import { postComment } from './post-comment.ts'
import { pruneHandler } from './prune.ts'
import { publishRun } from './publish-run.ts'
import { publishStacks } from './publish-stacks.ts'
import { reconcile } from './reconcile.ts'
import { syncInstallationsHandler } from './sync-installations.ts'

/** The handler of each kind of job; the table of jobs says what each kind is for. */
const handlers: { readonly [K in JobKind]: JobHandler<K> } = {
  add_reaction: addReaction,
  apply_on_merge: applyOnMergeHandler,
  ask_window: (deps, { run_id }, { cause }) => askWindow(deps, run_id, cause),
  archive_history: archiveHistoryHandler,
  comment_lock: commentLock,
  cross_repo_plan: (deps, of, { cause }) =>
    'run_id' in of ? propagateApply(deps, of.run_id, cause) : planDownstream(deps, of.repo_id, cause),
  dispatch_wave: dispatchWaveHandler,
  drift_stack: (deps, { stack_id }) => keepDriftIssue(deps, stack_id),
  index_modules: (deps, { repo_id }) => indexModules(deps, repo_id),
  make_months: (deps) => makeMonths(deps),
  post_comment: postComment,
  prune: pruneHandler,
  publish_run: publishRun,
  publish_stacks: publishStacks,
  read_config: (deps, { repo_id }) => followConfig(deps, repo_id),
  read_tags: (deps, { repo_id }, { cause }) => readTags(deps, repo_id, cause),
  reconcile,
  schedule_drift: (deps, of, { cause }) =>
    of.repo_id === undefined ? queueDueDrift(deps) : startDrift(deps, { repoId: of.repo_id, dueAt: of.due_at, cause }),
  // a worker may have died between starting the workflow and noting that, or met a database in trouble, which is no attempt
  send_dispatch: (deps, { dispatch_id: id, again }, { attempt, last_error: failure, cause }) =>
    sendDispatch(deps, { id, again: again === true || attempt > 1 || failure !== null, cause }),
  stale_locks: (deps, _, { cause }) => healStaleLocks(deps, cause),
  // without a bucket, the texts stay where they are
  store_plans: async ({ pool, artifacts, signal }, { run_id }) => {
    if (artifacts) await storePlans({ pool, artifacts, signal }, run_id)
    return artifacts !== undefined
  },
  sync_installations: syncInstallationsHandler,
}

/** The handler of a row: deliveries share one, each kind of job has its own. */
export const handlerOf = ({ queue, kind }: Pick<JobRow, 'queue' | 'kind'>): Handler => {
  if (queue === 'events') return handleDelivery
  // will be tried again: during an upgrade, a newer version beside this one may have queued it
  if (!isJobKind(kind)) throw new Error(`this version has no handler for the job kind ${kind}`)
  return handlerOfKind(kind)
}

const handlerOfKind =
  <K extends JobKind>(kind: K): Handler =>
  async (deps, job) =>
    (await handlers[kind](deps, readPayload(kind, job.payload), job)) === false ? 'ignored' : undefined

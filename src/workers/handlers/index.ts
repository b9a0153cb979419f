import type { JobRow } from '#db/jobs.ts'
import type { Handler } from '../handler.ts'
import { addReaction } from './add-reaction.ts'
import { applyOnMergeHandler } from './apply-on-merge.ts'
import { commentLock } from './comment-lock.ts'
import { crossRepoPlan } from './cross-repo-plan.ts'
import { handleDelivery } from './delivery.ts'
import { dispatchWaveHandler } from './dispatch-wave.ts'
import { readConfig, scheduleDrift } from './drift.ts'
import { driftStack } from './drift-stack.ts'
import { indexModulesHandler, readTagsHandler } from './modules.ts'
import { postComment } from './post-comment.ts'
import { pruneHandler } from './prune.ts'
import { publishRun } from './publish-run.ts'
import { reconcile } from './reconcile.ts'
import { sendDispatchHandler } from './send-dispatch.ts'
import { staleLocksHandler } from './stale-locks.ts'
import { storePlansHandler } from './store-plans.ts'
import { syncInstallationsHandler } from './sync-installations.ts'

/** The handler of each kind of job. */
const handlers: Readonly<Record<string, Handler>> = {
  add_reaction: addReaction,
  apply_on_merge: applyOnMergeHandler,
  comment_lock: commentLock,
  cross_repo_plan: crossRepoPlan,
  dispatch_wave: dispatchWaveHandler,
  drift_stack: driftStack,
  index_modules: indexModulesHandler,
  post_comment: postComment,
  prune: pruneHandler,
  publish_run: publishRun,
  read_config: readConfig,
  read_tags: readTagsHandler,
  reconcile,
  schedule_drift: scheduleDrift,
  send_dispatch: sendDispatchHandler,
  store_plans: storePlansHandler,
  stale_locks: staleLocksHandler,
  sync_installations: syncInstallationsHandler,
}

/** What this version can do. */
export const jobKinds: readonly string[] = Object.keys(handlers)

export const handlerOf = (job: Pick<JobRow, 'queue' | 'kind'>): Handler => {
  if (job.queue === 'events') return handleDelivery
  const handler = handlers[job.kind]
  // tried again: while an upgrade is under way a newer version beside this one may have queued it
  if (!handler) throw new Error(`this version has no handler of the job kind ${job.kind}`)
  return handler
}

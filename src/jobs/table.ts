import { z } from 'zod'
import { commentLock } from './comment-lock.ts'
import { define, laneOf, type OfInstallation } from './definition.ts'

const nothing = z.object({})
const OfRepository = z.object({ repo_id: z.number() })
const OfRun = z.object({ run_id: z.string() })

/**
 * Every kind of job, by name. Existing entries stay as they are: while an upgrade is under way two versions of the service work
 * on one queue, and each must know the other's names, keys and payloads. A new kind or an optional field may be added.
 */
export const table = {
  /** Reacts to a comment: eyes once it is read, a rocket once what it asked for has begun. */
  add_reaction: define({
    payload: z.object({ repo_id: z.number(), comment_id: z.number(), reaction: z.enum(['eyes', 'rocket']) }),
    key: ({ repo_id, comment_id, reaction }) => `${repo_id} ${comment_id} ${reaction}`,
    lane: laneOf('answers'),
  }),

  /** Applies a merged pull request's plan. */
  apply_on_merge: define({
    payload: z.object({ repo_id: z.number(), pr_number: z.number() }),
    key: ({ repo_id, pr_number }) => `${repo_id} ${pr_number}`,
  }),

  /** Moves months that are older than history is kept to the bucket. */
  archive_history: define({
    payload: nothing,
    key: () => 'all',
    lane: () => 'archive history',
  }),

  /** Asks whether the next wave of an apply may begin, inside of windows that hold waves. */
  ask_window: define({
    payload: OfRun,
    key: ({ run_id }) => run_id,
    urgency: 'dispatches',
  }),

  comment_lock: commentLock,

  /**
   * Notifies other repositories of what an apply run changed; or plans one of them because of it. The jobs of one repository
   * run one after another and gather the changes of several applies. One lane an installation: hundreds of repositories may
   * depend on one, and everything else must find a worker.
   */
  cross_repo_plan: define({
    payload: z.union([OfRun, OfRepository]),
    key: (of) => ('run_id' in of ? `after ${of.run_id}` : `of ${of.repo_id}`),
    lane: (of, { installationId }: OfInstallation) => ('run_id' in of ? null : `cross_repo_plan ${installationId}`),
  }),

  /** Sends out a wave of an apply; without a wave, all stacks of a run that plans. */
  dispatch_wave: define({
    payload: OfRun.extend({ wave: z.int().nonnegative().optional() }),
    key: ({ run_id, wave }) => `${run_id} ${wave ?? 'all'}`,
    lane: laneOf('dispatches'),
    urgency: 'dispatches',
  }),

  /**
   * Makes the issue of a stack say whether it drifted. Not in the lane of the installation's other writes: a night in which a
   * thousand stacks drift has a thousand of these jobs, GitHub accepts one in 3 s, and no apply may wait behind them.
   */
  drift_stack: define({
    payload: z.object({ stack_id: z.string() }),
    key: ({ stack_id }) => stack_id,
    lane: (_, { installationId }: OfInstallation) => `issues ${installationId}`,
    urgency: 'stacks',
  }),

  /** Records which modules the listed graph of a repository has. */
  index_modules: define({
    payload: OfRepository,
    key: ({ repo_id }) => String(repo_id),
    lane: ({ repo_id }) => `modules ${repo_id}`,
  }),

  /** Makes the partitions of the months that come. */
  make_months: define({
    payload: nothing,
    key: () => 'all',
    lane: () => 'make months',
  }),

  /** Posts a comment that answers `name`, which is a command's comment or a merge. */
  post_comment: define({
    payload: z.object({ repo_id: z.number(), pr_number: z.number(), name: z.string(), body: z.string() }),
    key: ({ repo_id, pr_number, name }) => `${repo_id} ${pr_number} ${name}`,
    lane: laneOf('answers'),
  }),

  /** Removes what has passed its retention. */
  prune: define({
    payload: nothing,
    key: () => 'all',
    lane: () => 'prune',
  }),

  /**
   * Brings the check runs of a whole run and the comment up to date. `looks`: how often the code host was asked whether the pull request
   * conflicts. A job for `later` waits beside the job that the next result brings.
   */
  publish_run: define({
    payload: OfRun.extend({ looks: z.number().default(0) }),
    key: ({ run_id }, { later }: OfInstallation & { later?: boolean }) => (later ? `${run_id} later` : run_id),
    lane: laneOf('shown'),
    urgency: 'runs',
  }),

  /**
   * Brings the check runs of a run's stacks up to date, after what shows whole runs: 300 stacks take minutes, and the result of
   * another run must not wait behind them.
   */
  publish_stacks: define({
    payload: OfRun,
    key: ({ run_id }) => run_id,
    lane: laneOf('shown'),
    urgency: 'stacks',
  }),

  /** Reads the configuration of a repository that is new here. */
  read_config: define({
    payload: OfRepository,
    key: ({ repo_id }) => String(repo_id),
  }),

  /** Reads the tags of a repository that contains modules. */
  read_tags: define({
    payload: OfRepository,
    key: ({ repo_id }) => String(repo_id),
    lane: ({ repo_id }) => `tags ${repo_id}`,
  }),

  /**
   * Compares one subject with the code host: each in a job of its own, since one that fails must not stop the others. If a
   * comparison takes longer than the interval, the next one does not run beside it.
   */
  reconcile: define({
    payload: z.object({ what: z.enum(['runs', 'deliveries', 'pull_requests', 'tags']) }),
    key: ({ what }) => what,
    lane: ({ what }) => `reconcile ${what}`,
  }),

  /**
   * Finds repositories whose check for drift is due; or begins the check of one repository, because of its tick at `due_at`.
   * One lane an installation: hundreds of repositories are due at four in the morning, and a webhook that comes then must find
   * a worker.
   */
  schedule_drift: define({
    payload: z.union([
      z.object({ repo_id: z.number(), due_at: z.coerce.date<string>() }),
      z.object({ repo_id: z.undefined().optional() }),
    ]),
    key: ({ repo_id }) => String(repo_id ?? 'due'),
    lane: ({ repo_id }, { installationId }: OfInstallation) =>
      repo_id === undefined ? 'schedule_drift due' : `drift ${installationId}`,
  }),

  /**
   * Starts the workflow of a dispatch. `again`: an earlier attempt may have started it without recording that, so its workflow
   * run is searched for first.
   */
  send_dispatch: define({
    payload: z.object({ dispatch_id: z.string(), again: z.boolean().optional() }),
    key: ({ dispatch_id }) => dispatch_id,
    lane: laneOf('dispatches'),
    urgency: 'dispatches',
  }),

  /** Takes care of locks that nothing would free, and whose holders nothing would remind. */
  stale_locks: define({
    payload: nothing,
    key: () => 'all',
    lane: () => 'stale locks',
  }),

  /**
   * Moves the plan texts of a run to the bucket. Two lanes for all runs: a bucket that hangs holds two handlers and not all of
   * them, and the texts of one run are written in order. Nobody's jobs, since a lane is shared within its installation alone.
   */
  store_plans: define({
    payload: OfRun,
    key: ({ run_id }) => run_id,
    lane: ({ run_id }) => `artifacts ${Number.parseInt(run_id.slice(-1), 16) % 2}`,
  }),

  /**
   * Brings installations and repositories in line with the code host; or one installation, of which there is news, or which failed
   * while the others did not: it is retried by itself, and no news of the others waits for it. In one lane: of two at the same
   * time, the slower would overwrite the newer list with the older.
   */
  sync_installations: define({
    payload: z.object({ installation_id: z.number().optional() }),
    key: ({ installation_id }) => String(installation_id ?? 'all'),
    lane: () => 'installations',
  }),
}

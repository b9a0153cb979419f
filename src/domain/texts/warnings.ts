/** What people should know about a run (ResolveResponse.warnings, Run.warnings): `message` alone is enough for a person. */
export type Warning = {
  code:
    | 'config_keys_differ'
    | 'planned_by_default_branch_config'
    | 'stack_removed'
    | 'dispatch_refused'
    | 'wave_held'
    | 'upstream_run'
    | 'cross_repo'
    | 'config_invalid'
    | 'superseding'
    | 'lock_released'
    | 'drift_left_out'
    | 'drift_overtaken'
    | 'drift_overlapping'
    | 'tree_planned'
  message: string
  /** Configuration keys, such as `stacks[aws/prod].depends_on`. */
  keys?: string[]
  /** Stack keys. */
  stacks?: string[]
}

const NAMED = 10

const listed = (names: readonly string[]): string =>
  names.length <= NAMED ? names.join(', ') : `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more`

const stacksOf = (names: readonly string[]): string => (names.length === 1 ? 'a stack' : `${names.length} stacks`)

/** `stacks`: stacks that are planned because of the pull request's changes to svc.yml. */
export const configKeysDiffer = (keys: string[], stacks: string[]): Warning => {
  const message = `svc.yml differs from the default branch's in ${listed(keys)}: stacks were resolved under both`
  if (stacks.length === 0) return { code: 'config_keys_differ', message, keys }
  const planned = `. Planned because this pull request changes their settings in svc.yml: ${listed(stacks)}`
  return { code: 'config_keys_differ', message: message + planned, keys, stacks }
}

export const configInvalid = (branch: string, problems: readonly string[]): Warning => ({
  code: 'config_invalid',
  message: `svc.yml of ${branch} is invalid, so no apply is allowed, and of plans only the summary is kept: ${problems.join('; ')}`,
})

export const plannedByDefaultBranchConfig = (stacks: string[]): Warning => ({
  code: 'planned_by_default_branch_config',
  message: `planned because of the default branch's svc.yml, not this one: ${listed(stacks)}`,
  stacks,
})

export const stackRemoved = (stacks: string[]): Warning => ({
  code: 'stack_removed',
  message: `${stacksOf(stacks)} removed with its directory and not planned: ${listed(stacks)}. What it created still exists, unless it was destroyed before`,
  stacks,
})

/** On an apply run whose pull request has a newer head. */
export const superseding = (sha: string): Warning => ({
  code: 'superseding',
  message: `${sha.slice(0, 7)} replaced the commit that this run applies: the wave that is out ends, and no further one is sent`,
})

/** On an apply run that would have continued with stacks whose locks somebody had released. */
export const lockReleased = (stacks: string[]): Warning => ({
  code: 'lock_released',
  message: `skipped, because each lock was released before its wave was sent: ${listed(stacks)}`,
  stacks,
})

/** On a plan that an apply in another repository caused. */
export const upstreamRun = (upstream: { runId: string; repo: string; keys: readonly string[] }): Warning => ({
  code: 'upstream_run',
  message: `planned because run ${upstream.runId} of ${upstream.repo} applied what stacks here depend on: ${listed(upstream.keys)}. It shows what that changes here, and is not applied: open a pull request to do so`,
})

/** On a plan of stacks that stacks in other repositories depend on. Those are planned after the apply. */
export const crossRepo = (dependents: readonly string[]): Warning => ({
  code: 'cross_repo',
  message: `other repositories depend on these stacks, and are planned once they are applied: ${listed(dependents)}`,
})

type Holding = { key: string; pr_number: number | null }

const heldBy = ({ key, pr_number }: Holding): string =>
  `${key} (${pr_number === null ? 'a manual run' : `#${pr_number}`})`

/** On a drift run: stacks changed, or being changed, by a pull request that is not merged or by a manual run. */
export const driftNotChecked = (held: readonly Holding[]): Warning => ({
  code: 'drift_left_out',
  message: `not checked for drift, because an unmerged pull request or a manual run has changed them or is changing them: ${listed(held.map(heldBy))}`,
  stacks: held.map(({ key }) => key),
})

/**
 * On a drift run: stacks that were changed while their checks ran. One warning for all of them, extended as they become known.
 */
export const driftOvertaken = (stacks: string[]): Warning => ({
  code: 'drift_overtaken',
  message: `checked for drift but not counted, because they were applied after the check had begun: ${listed(stacks)}`,
  stacks,
})

/** On a drift run that is still under way when the next is due. */
export const driftOverlapping = (dueAt: Date): Warning => ({
  code: 'drift_overlapping',
  message: `this check for drift was still under way when the next was due at ${dueAt.toISOString()}: that one was left out, and so is each that is due before this run ends`,
})

/** On runs of a pull request that is now to be merged into another branch than the one they were made for. */
export const baseChanged = (from: string, to: string): Warning => ({
  code: 'superseding',
  message: `the pull request is now to be merged into ${to}, but its changes were found by comparing it with ${from}: push a commit, or close and reopen it, to have it planned again`,
})

/** On the plan of a merge group whose files are those of a pull request's head. */
export const treePlanned = (by: { runId: string; prNumber: number }): Warning => ({
  code: 'tree_planned',
  message: `nothing is planned again: the very same files were planned for #${by.prNumber}, in run ${by.runId}`,
})

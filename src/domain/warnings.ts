/** What people should see of a run (ResolveResponse.warnings, Run.warnings): `message` alone is enough for a person. */
export type Warning = {
  code:
    | 'config_keys_differ'
    | 'planned_by_default_branch_config'
    | 'stack_removed'
    | 'dispatch_refused'
    | 'upstream_run'
    | 'cross_repo'
    | 'graph_truncated'
    | 'config_invalid'
    | 'superseding'
    | 'lock_released'
    | 'drift_left_out'
    | 'drift_overtaken'
    | 'drift_overlapping'
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

/** `stacks`: those that are planned because of what the pull request changes in svc.yml. */
export const configKeysDiffer = (keys: string[], stacks: string[]): Warning => {
  const message = `svc.yml differs from the default branch's in ${listed(keys)}: stacks were resolved under both`
  if (stacks.length === 0) return { code: 'config_keys_differ', message, keys }
  const planned = `. Planned because this pull request changes what svc.yml says of them: ${listed(stacks)}`
  return { code: 'config_keys_differ', message: message + planned, keys, stacks }
}

export const plannedByDefaultBranchConfig = (stacks: string[]): Warning => ({
  code: 'planned_by_default_branch_config',
  message: `planned because of the default branch's svc.yml, not this one: ${listed(stacks)}`,
  stacks,
})

export const stackRemoved = (stacks: string[]): Warning => ({
  code: 'stack_removed',
  message: `${stacksOf(stacks)} removed with its directory and not planned: ${listed(stacks)}. What it made still exists, unless it was destroyed before`,
  stacks,
})

/** On an apply run whose pull request has a newer head. */
export const superseding = (sha: string): Warning => ({
  code: 'superseding',
  message: `${sha.slice(0, 7)} replaced the commit that this run applies: the wave that is out ends, and no further one is sent`,
})

/** On an apply run that was to go on with stacks whose locks somebody had released. */
export const lockReleased = (stacks: string[]): Warning => ({
  code: 'lock_released',
  message: `skipped, since the lock of each was released before its wave was sent: ${listed(stacks)}`,
  stacks,
})

/** On a plan that an apply in another repository led to. */
export const upstreamRun = (upstream: { runId: string; repo: string; keys: readonly string[] }): Warning => ({
  code: 'upstream_run',
  message: `planned because run ${upstream.runId} of ${upstream.repo} applied what stacks here depend on: ${listed(upstream.keys)}. It shows what that changes here, and is not applied: open a pull request to do so`,
})

/** On a plan of stacks that others depend on in repositories that are planned after the apply. */
export const crossRepo = (dependents: readonly string[]): Warning => ({
  code: 'cross_repo',
  message: `other repositories depend on these stacks, and are planned once they are applied: ${listed(dependents)}`,
})

type Holding = { key: string; prNumber?: number | undefined }

const heldBy = ({ key, prNumber }: Holding): string =>
  `${key} (${prNumber === undefined ? 'a manual run' : `#${prNumber}`})`

/** On a drift run: stacks that somebody changed, or is changing, who is not merged. */
export const driftNotChecked = (held: readonly Holding[]): Warning => ({
  code: 'drift_left_out',
  message: `not checked for drift, since what holds their locks changed them and is not merged, or is changing them: ${listed(held.map(heldBy))}`,
  stacks: held.map(({ key }) => key),
})

/** On a drift run: stacks that were changed while their checks were out. One for all of them, as they become known. */
export const driftOvertaken = (stacks: string[]): Warning => ({
  code: 'drift_overtaken',
  message: `checked for drift but not counted, since they were applied after the check had begun: ${listed(stacks)}`,
  stacks,
})

/** On a drift run that is still under way when the next is due. */
export const driftOverlapping = (dueAt: Date): Warning => ({
  code: 'drift_overlapping',
  message: `this check for drift was still under way when the next was due at ${dueAt.toISOString()}: that one was left out, and so is each that is due before this run ends`,
})

/** On runs of a pull request that is to be merged into another branch than they were made for. */
export const baseChanged = (from: string, to: string): Warning => ({
  code: 'superseding',
  message: `the pull request is to be merged into ${to} now, and what it changes was found by comparing it with ${from}: push a commit, or close and reopen it, so that it is planned anew`,
})

import type { Run } from '../api/run-types.ts'

/** What a run is called: `Apply of #42`, `Plan of #42 in the merge queue`, `Plan of #53`, `Drift check`, `Manual apply`. */
export const runName = ({
  mode,
  trigger,
  pr_number,
  merge_group,
}: Pick<Run, 'mode' | 'trigger' | 'pr_number' | 'merge_group'>): string => {
  if (mode === 'drift') return 'Drift check'
  const verb = mode === 'apply' ? 'Apply' : 'Plan'
  if (pr_number !== undefined)
    return `${verb} of #${pr_number}${trigger === 'push' && mode === 'apply' ? ', on merge' : ''}`
  if (merge_group !== undefined) return `${verb} of #${merge_group.pr_number} in the merge queue`
  return trigger === 'manual' ? `Manual ${mode}` : verb
}

import type { Run } from '../api/run-types.ts'

/** What a run is called: `Apply of #42`, `Plan of #53`, `Drift check`, `Manual apply`. */
export const runName = ({ mode, trigger, pr_number }: Pick<Run, 'mode' | 'trigger' | 'pr_number'>): string => {
  if (mode === 'drift') return 'Drift check'
  const verb = mode === 'apply' ? 'Apply' : 'Plan'
  if (pr_number !== undefined)
    return `${verb} of #${pr_number}${trigger === 'push' && mode === 'apply' ? ', on merge' : ''}`
  return trigger === 'manual' ? `Manual ${mode}` : verb
}

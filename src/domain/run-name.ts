/** File name of the workflow that runs the service's waves, on the default branch of each repository. */
export const runWorkflow = 'svc-run.yml'

export const runWorkflowPath = `.github/workflows/${runWorkflow}`

/** What a dispatched workflow run is for, read from its name. `part` is counted from 1. */
export type RunName = { mode: string; runId: string; wave: number; part: number; sha: string }

/** `0` for a wave that goes out in one dispatch; `2.1`, `2.2` for the parts of a wave that needs several. */
export const waveLabel = ({ wave, part }: { wave: number; part: number }, parts: number): string =>
  parts > 1 ? `${wave}.${part}` : String(wave)

/**
 * The name of a workflow run. It is the only value of ours that the code host returns, so the run can be found even if the
 * answer to its dispatch is lost.
 */
export const runName = (of: { mode: string; runId: string; wave: string; sha: string }): string =>
  `svc ${of.mode} ${of.runId} wave ${of.wave} ${of.sha}`

const pattern =
  /^svc (plan|apply|drift) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) wave (\d{1,6})(?:\.(\d{1,6}))? (\S+)$/

/** Reads a workflow run's name; undefined for any other title. */
export const readRunName = (title: string): RunName | undefined => {
  const [, mode, runId, wave, part, sha] = pattern.exec(title.trim()) ?? []
  if (mode === undefined || runId === undefined || sha === undefined) return undefined
  return { mode, runId, wave: Number(wave), part: Number(part ?? 1), sha }
}

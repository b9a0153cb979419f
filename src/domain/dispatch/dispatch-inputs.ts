import { limits } from '../limits.ts'
import { waveLabel } from '../run-name.ts'

/** The part of a stack's row that its job needs. */
export type DispatchStack = {
  key: string
  path: string
  environment: string | null
  instance: string | null
  workspace: string | null
  /** Labels of the runners that its job asks for. */
  runs_on: readonly string[] | null
  tool: string | null
  tool_version: string | null
  plan_output: 'full' | 'summary'
  /** The saved plan that it applies, and the workflow run that uploaded it. */
  artifact: string | null
  artifact_run: number | null
  /** Its wave in that plan, counted over all affected stacks and not only those applied now. */
  planned_wave: number | null
}

/** One job of svc-run.yml's matrix. */
export type DispatchEntry = {
  /** The stack's directory; `key` distinguishes its instances. */
  stack: string
  key: string
  environment: string
  instance?: string
  workspace?: string
  runs_on?: readonly string[]
  tool: string
  tool_version?: string
  plan_output?: 'summary'
  artifact?: string
  artifact_run?: string
}

export type DispatchRun = { id: string; mode: 'plan' | 'apply' | 'drift'; sha: string }

export type DispatchInputs = { run_id: string; mode: string; wave: string; sha: string; stacks: string }

/**
 * Plans and drift checks run under `default`, whatever environment the stack is applied in
 * (docs/interface.md, 'Runner token rules', 5).
 */
export const environmentOf = (mode: DispatchRun['mode'], environment: string | null): string =>
  mode === 'apply' ? (environment ?? 'default') : 'default'

/**
 * A stack as an entry of the matrix. Saved plans are sent only with the first wave of an apply, and there only for stacks of
 * the plan's own first wave: plans of later waves were made on top of what earlier waves have changed since, in this apply or
 * in one before it. The tool recognises a stale plan by the stack's own state, not by the outputs of others that it read.
 */
export const dispatchEntry = (run: DispatchRun, wave: number, stack: DispatchStack): DispatchEntry => {
  const { instance, workspace, runs_on, tool_version, artifact, artifact_run, planned_wave } = stack
  const isFirst = wave === 0 && planned_wave === 0
  const saved = run.mode === 'apply' && isFirst && artifact !== null && artifact_run !== null
  return {
    stack: stack.path,
    key: stack.key,
    environment: environmentOf(run.mode, stack.environment),
    ...(instance === null ? {} : { instance }),
    ...(workspace === null ? {} : { workspace }),
    ...(runs_on === null ? {} : { runs_on }),
    tool: stack.tool ?? 'terraform',
    ...(tool_version === null ? {} : { tool_version }),
    ...(stack.plan_output === 'summary' ? { plan_output: 'summary' } : {}),
    ...(saved ? { artifact, artifact_run: String(artifact_run) } : {}),
  }
}

/** The inputs of a dispatch, all of them text: what svc-run.yml declares. */
export const dispatchInputs = (run: DispatchRun, wave: string, entries: readonly DispatchEntry[]): DispatchInputs => ({
  run_id: run.id,
  mode: run.mode,
  wave,
  sha: run.sha,
  stacks: JSON.stringify({ include: entries }),
})

/** The cost of text inside a JSON string: its quotes and backslashes are escaped. */
const escapedLength = (text: string): number => JSON.stringify(text).length - 2

/**
 * Splits the stacks of a wave, in order, into dispatches that the code host accepts: at most 256 jobs in a matrix, and inputs
 * of at most 65,535 characters as compact JSON (GitHub Docs, 'Workflow syntax', on.workflow_dispatch.inputs). An entry that is
 * too large by itself goes alone, and the code host refuses it: the others must not wait with it.
 */
export const dispatchParts = <S>(
  run: DispatchRun,
  wave: number,
  stacks: readonly S[],
  entryOf: (stack: S) => DispatchEntry,
): S[][] => {
  // the label of the last possible part is the longest
  const label = waveLabel({ wave, part: stacks.length }, 2)
  const room = limits.dispatchInputChars - JSON.stringify(dispatchInputs(run, label, [])).length
  const parts: S[][] = []
  let left = 0
  for (const stack of stacks) {
    const length = escapedLength(JSON.stringify(entryOf(stack)))
    const last = parts.at(-1)
    // every entry but the first adds a comma
    if (last && last.length < limits.matrixJobs && length + 1 <= left) {
      last.push(stack)
      left -= length + 1
    } else {
      parts.push([stack])
      left = room - length
    }
  }
  return parts
}

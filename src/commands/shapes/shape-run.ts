import type { ShownRunStack } from '#db/views/runs/run-stack-view.ts'
import type { ListedRun } from '#db/views/runs/run-view.ts'
import { mergeGroupOf } from '#domain/merge-group.ts'
import type { KeptResult } from '#domain/result.ts'

/** Numbers and booleans are never empty, so they stay required. */
type Present<T> = { [K in keyof T as T[K] extends number | boolean ? K : never]: T[K] } & {
  [K in keyof T as T[K] extends number | boolean ? never : K]?: Exclude<T[K], null | undefined>
}

/** Leaves out empty fields (docs/interface.md, 'Conventions'): null, undefined, empty texts and empty lists. */
export const present = <T extends object>(fields: T): Present<T> => {
  // a loop, since lists call it some hundred times a page: three times as fast as entries, filter and fromEntries
  const kept: Record<string, unknown> = {}
  for (const name in fields) {
    const value = fields[name]
    if (!isEmpty(value)) kept[name] = value
  }
  return kept as Present<T>
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const time = (date: Date | null): string | undefined => date?.toISOString()

export const runUrl = (baseUrl: string, run: { id: string }): string => `${baseUrl}/runs/${run.id}`

/** A run as the API shows it (docs/interface.md, 'Run'). */
export const shapeRun = (baseUrl: string, run: ListedRun) => ({
  id: run.id,
  repo: run.repo,
  sha: run.sha,
  trigger: run.trigger,
  mode: run.mode,
  status: run.status,
  created_at: run.created_at.toISOString(),
  waves: run.waves,
  current_wave: run.current_wave,
  html_url: runUrl(baseUrl, run),
  ...present({
    base_sha: run.base_sha,
    pr_number: run.pr_number,
    merge_group: run.merge_group === null ? undefined : shapeGroup(run.merge_group),
    requested_by: run.requested_by,
    started_at: time(run.started_at),
    finished_at: time(run.finished_at),
    warnings: run.warnings,
  }),
})

const shapeGroup = (branch: string) => {
  const group = mergeGroupOf(branch)
  return group && { pr_number: group.prNumber, base_ref: group.baseRef }
}

export type ShapedRun = ReturnType<typeof shapeRun>

const shapeCheck = (check: ShownRunStack['checks'][number]) => ({
  name: check.name,
  status: check.status,
  updated_at: check.updated_at,
  ...present({ summary: check.summary, details_url: check.details_url, waived_by: check.waived_by }),
})

const shapeLock = (view: ShownRunStack) =>
  view.lock_run_id === null && view.lock_taken_at === null
    ? undefined
    : {
        stack_id: view.stack_id,
        stack_key: view.key,
        ...present({ run_id: view.lock_run_id, pr_number: view.lock_pr_number, taken_at: time(view.lock_taken_at) }),
      }

/** The bucket has more of the text than the row. */
const isCut = ({ plan_url, kept_bytes, plan_bytes }: ShownRunStack): boolean =>
  plan_url !== null && (kept_bytes ?? 0) < (plan_bytes ?? 0)

/** A stack's row in a run as the API shows it (docs/interface.md, 'RunStack'). */
export const shapeRunStack = (view: ShownRunStack) => {
  const result: Partial<KeptResult> = view.result ?? {}
  return {
    stack_id: view.stack_id,
    key: view.key,
    path: view.path,
    wave: view.wave,
    status: view.status,
    plan_output: view.plan_output,
    ...present({
      reasons: view.reasons,
      via: view.via,
      instance: view.instance,
      workspace: view.workspace,
      environment: view.environment,
      summary: result.summary && present(result.summary),
      exit_code: result.exit_code,
      job_url: result.job_url,
      plan_artifact: result.plan_artifact,
      plan_text: view.plan_text,
      plan_url: view.plan_url,
      plan_bytes: view.plan_bytes,
      truncated: result.truncated || isCut(view) || undefined,
      error_text: result.error_text,
      checks: view.checks.map(shapeCheck),
      blocked_by: view.blocked_by,
      lock: shapeLock(view),
      started_at: time(view.started_at),
      finished_at: time(view.finished_at),
    }),
  }
}

export type ShapedRunStack = ReturnType<typeof shapeRunStack>

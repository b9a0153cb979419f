import { lockRuns } from '#db/machines/runs.ts'
import { type AuditRow, addAudit } from '#db/people/audit.ts'
import { addJobs } from '#db/queue/jobs.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import { markWaived } from '#db/runs/checks.ts'
import type { Tx } from '#db/sql.ts'
import type { PlanView } from '#db/views/runs/plan-view.ts'
import type { Waiver } from '#domain/gate/waivers.ts'
import { makeJob } from '#jobs/job.ts'
import type { Deps } from '../deps.ts'

/**
 * Notes on the verdicts that an apply goes past who waived them, and has them shown. Before the apply takes its locks: the rows of
 * runs are locked first.
 */
export const waiveChecks = async (
  tx: Tx,
  { installation_id: installationId }: Repository,
  plan: PlanView,
  waivers: readonly Waiver[],
  cause: string | undefined,
): Promise<void> => {
  if (waivers.length === 0) return
  const verdicts = new Map(
    plan.stacks.flatMap(({ key, stack_id, checks }) =>
      checks.map(({ name, run_id }) => [`${name} ${key}`, { run_id, stack_id, name }] as const),
    ),
  )
  const marked = waivers.flatMap(({ check, stack, login }) => {
    const verdict = verdicts.get(`${check} ${stack}`)
    return verdict === undefined ? [] : [{ ...verdict, waived_by: login }]
  })
  const runIds = [...new Set(marked.map(({ run_id: id }) => id))].sort()
  await lockRuns(tx, runIds)
  await markWaived(tx, marked)
  await addJobs(
    tx,
    runIds.map((run_id) => makeJob('publish_run', { run_id }, { installationId, cause })),
  )
}

/** An entry for each person and check: whose word let an apply past a failed verdict. */
export const auditWaivers = async (
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  { full_name: repo }: Repository,
  of: { prNumber: number; runId: string },
  waivers: readonly Waiver[],
): Promise<void> => {
  const rows = new Map<string, AuditRow & { details: { stacks: string[] } }>()
  for (const { check, stack, login, team } of waivers) {
    const id = `${check} ${login}`
    const known = rows.get(id)
    if (known !== undefined) known.details.stacks.push(stack)
    else {
      const details = { repo, pr: of.prNumber, run_id: of.runId, check, team, stacks: [stack] }
      rows.set(id, { at: clock.now(), actor: login, actor_id: null, action: 'check_waived', target: repo, details })
    }
  }
  await addAudit(tx, [...rows.values()])
}

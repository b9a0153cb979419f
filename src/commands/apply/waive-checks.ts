import { type AuditRow, addAudit } from '#db/people/audit.ts'
import { addJobs } from '#db/queue/jobs.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import { markWaived, type WaivedCheck } from '#db/runs/checks.ts'
import type { Tx } from '#db/sql.ts'
import type { PlanView } from '#db/views/runs/plan-view.ts'
import type { Waiver } from '#domain/gate/waivers.ts'
import { makeJob } from '#jobs/job.ts'
import type { Deps } from '../deps.ts'

/** The verdicts that an apply goes past, and who waived each. */
export const verdictsWaived = (plan: PlanView, waivers: readonly Waiver[]): WaivedCheck[] => {
  const verdicts = new Map(
    plan.stacks.flatMap(({ key, stack_id, checks }) =>
      checks.map(({ name, run_id }) => [`${name} ${key}`, { run_id, stack_id, name }] as const),
    ),
  )
  return waivers.flatMap(({ check, stack, login }) => {
    const verdict = verdicts.get(`${check} ${stack}`)
    return verdict === undefined ? [] : [{ ...verdict, waived_by: login }]
  })
}

/** Notes on verdicts who waived them, and has them shown. Their runs are locked, and so are the locks that the apply takes. */
export const waiveChecks = async (
  tx: Tx,
  { installation_id: installationId }: Repository,
  waived: WaivedCheck[],
  cause: string | undefined,
): Promise<void> => {
  if (waived.length === 0) return
  await markWaived(tx, waived)
  const runIds = [...new Set(waived.map(({ run_id }) => run_id))]
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
